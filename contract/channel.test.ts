import { expect, it } from 'vitest'
import { channelLabel, channelUrl } from './channel.ts'

it('the URL of a channel has its id as one path segment; a channel with an invented id has the URL of the video platform', () => {
  expect(channelUrl({ channel_id: 'UCabc_-123' })).toBe('https://www.youtube.com/channel/UCabc_-123')
  expect(channelUrl({ channel_id: '../a?b' })).toBe('https://www.youtube.com/channel/..%2Fa%3Fb')
  expect(channelUrl({ channel_id: 'UCexampleAriaVolt0000001' })).toBe('https://www.youtube.com/')
})

it('a channel whose name has no visible character is labelled with its id', () => {
  const labelOf = (channel_name: string) => channelLabel({ channel_id: 'UC1', channel_name })
  for (const name of ['Otto', '🎧', 'ミラ', '!']) expect(labelOf(name)).toBe(name)
  for (const name of ['', ' ', '\u200b\u2060', '\u202e', '\u0301']) expect(labelOf(name)).toBe('UC1')
})
