/**
 * Mixes more than two channels down to two by ITU-R BS.775-4, annex 4, table 2: L' = L + 0.7071 C + 0.7071 Ls, R' likewise, without the
 * low-frequency channel. The result is divided by the sum of the gains, so that it is never louder than the loudest source channel.
 *
 * @param channels in the order of WAVE files and of the Web Audio API: L R C LFE Ls Rs
 */
export function mixDown(channels: readonly Float32Array<ArrayBuffer>[]): readonly Float32Array<ArrayBuffer>[] {
  if (channels.length <= 2) return channels
  const speakers = speakersOf(channels.length)
  return [mixSide(channels, speakers, 'left'), mixSide(channels, speakers, 'right')]
}

type Speaker = 'left' | 'right' | 'centre' | 'lfe' | 'left surround' | 'right surround'

const SURROUND_SPEAKERS: readonly Speaker[] = ['left', 'right', 'centre', 'lfe', 'left surround', 'right surround']

/** Returns the speakers of a layout by its number of channels. Pairs beyond 5.1 are surround; the rear centre of 6.1 counts as centre. */
function speakersOf(count: number): readonly Speaker[] {
  if (count === 3) return ['left', 'right', 'centre']
  if (count === 4) return ['left', 'right', 'left surround', 'right surround']
  if (count === 5) return ['left', 'right', 'centre', 'left surround', 'right surround']
  if (count === 7) return ['left', 'right', 'centre', 'lfe', 'centre', 'left surround', 'right surround']
  return Array.from({ length: count }, (_, index) => SURROUND_SPEAKERS[index] ?? (index % 2 === 0 ? 'left surround' : 'right surround'))
}

function gainOf(speaker: Speaker, side: 'left' | 'right'): number {
  if (speaker === side) return 1
  return speaker === 'centre' || speaker === `${side} surround` ? Math.SQRT1_2 : 0
}

function mixSide(channels: readonly Float32Array[], speakers: readonly Speaker[], side: 'left' | 'right'): Float32Array<ArrayBuffer> {
  const gains = speakers.map((speaker) => gainOf(speaker, side))
  const sum = gains.reduce((total, gain) => total + gain, 0)
  const mixedSamples = new Float32Array(channels[0]?.length ?? 0)
  channels.forEach((samples, channel) => {
    const gain = (gains[channel] ?? 0) / sum
    if (gain === 0) return
    for (let frame = 0; frame < mixedSamples.length; frame++)
      mixedSamples[frame] = (mixedSamples[frame] ?? 0) + gain * (samples[frame] ?? 0)
  })
  return mixedSamples
}
