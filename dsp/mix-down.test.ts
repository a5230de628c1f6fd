import { expect, it } from 'vitest'
import { findCodecChannelMask, mixDown } from './mix-down.ts'

/** Returns, for each channel, the levels of the left and the right side if only this channel has a sound. */
const listAudibleSides = (channelCount: number, channelMask: number | undefined) =>
  Array.from({ length: channelCount }, (_, soundingChannel) =>
    mixDown(
      Array.from({ length: channelCount }, (_each, channel) => Float32Array.of(channel === soundingChannel ? 1 : 0)),
      channelMask,
    ).map(([sample = 9]) => Math.round(sample * 1000) / 1000),
  )

it('mixDown: 5.1 is mixed down by ITU-R BS.775-4, and never louder than its loudest channel', () => {
  expect(listAudibleSides(6, 0x3f)).toEqual([
    [0.414, 0],
    [0, 0.414],
    [0.293, 0.293],
    [0, 0],
    [0.293, 0],
    [0, 0.293],
  ])
})

it('mixDown: the channel mask determines the speakers, not the number of channels', () => {
  // The channels are front left, front right, front centre and back centre. Both centre channels are audible on both sides.
  expect(listAudibleSides(4, 0x107).slice(2)).toEqual([
    [0.293, 0.293],
    [0.293, 0.293],
  ])
  // The layout 2.1 has no centre channel.
  expect(listAudibleSides(3, 0xb)).toEqual([
    [1, 0],
    [0, 1],
    [0, 0],
  ])
  // The layout 3.1.
  expect(listAudibleSides(4, 0xf)[2]).toEqual([0.414, 0.414])
  expect(listAudibleSides(4, 0xf)[3]).toEqual([0, 0])
})

it.each([3, 4, 5, 6, 7, 8, 10, 16, 32])('mixDown: each of %i channels is audible if the file does not name its speakers', (count) => {
  for (const [left = 0, right = 0] of listAudibleSides(count, undefined)) expect(left + right).toBeGreaterThan(0)
})

it('mixDown: channels that the channel mask does not name are audible on both sides', () => {
  expect(listAudibleSides(3, 0x3)[2]).toEqual([0.414, 0.414])
})

it('mixDown: one or two channels are unchanged', () => {
  const channels = [Float32Array.of(1), Float32Array.of(2)]
  expect(mixDown(channels, findCodecChannelMask(2))).toBe(channels)
})
