import { expect, it } from 'vitest'
import { createChannelUrl, formatChannelLabel } from './channel.ts'

it('the URL of a channel has its id as one path segment; a channel with an invented id has the URL of the video platform', () => {
  expect(createChannelUrl({ channel_id: 'UCabc_-123' })).toBe('https://www.youtube.com/channel/UCabc_-123')
  expect(createChannelUrl({ channel_id: '../a?b' })).toBe('https://www.youtube.com/channel/..%2Fa%3Fb')
  expect(createChannelUrl({ channel_id: 'UCexampleAriaVolt0000001' })).toBe('https://www.youtube.com/')
})

it('a channel whose name has no visible character is labelled with its id', () => {
  const createLabel = (channel_name: string) => formatChannelLabel({ channel_id: 'UC1', channel_name })
  for (const name of ['Otto', '🎧', 'ミラ', '!']) expect(createLabel(name)).toBe(name)
  for (const name of ['', ' ', '\u200b\u2060', '\u202e', '\u0301']) expect(createLabel(name)).toBe('UC1')
})
