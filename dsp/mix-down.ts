type Channels = readonly Float32Array<ArrayBuffer>[]
type Speaker = 'left' | 'right' | 'centre' | 'lfe' | 'left surround' | 'right surround'

/**
 * The speakers by the bits of the channel mask of WAVE_FORMAT_EXTENSIBLE (Microsoft, KSAUDIO_SPEAKER): front left, right, centre, low frequency,
 * back left and right, front left and right of centre, back centre, side left and right, and the nine above the listener.
 */
const MASK_SPEAKERS: readonly Speaker[] = [
  ...([
    'left',
    'right',
    'centre',
    'lfe',
    'left surround',
    'right surround',
    'left',
    'right',
    'centre',
    'left surround',
    'right surround',
  ] as const),
  ...(['centre', 'left surround', 'centre', 'right surround', 'left surround', 'centre', 'right surround'] as const),
]

/**
 * The channel masks of 3.0, 4.0, 5.0, 5.1, 6.1 and 7.1. The channels are in the order that FLAC (RFC 9639, 9.1.3), the Web Audio API and
 * decoders use.
 */
const CHANNEL_MASK_BY_CHANNEL_COUNT: Readonly<Record<number, number>> = { 3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3f, 7: 0x70f, 8: 0x63f }

/** Returns the channel mask that compressed formats define for a number of channels; `undefined` if they define none. */
export const findCodecChannelMask = (count: number): number | undefined => CHANNEL_MASK_BY_CHANNEL_COUNT[count]

/**
 * Mixes more than two channels down to two by ITU-R BS.775-4, annex 4, table 2: L' = L + 0.7071 C + 0.7071 Ls, R' likewise, without the
 * low-frequency channel. For each side, the gains are summed; the result is divided by the larger sum, so that it is never louder than the
 * loudest source channel.
 *
 * @param channelMask the speakers of the channels, as in WAVE_FORMAT_EXTENSIBLE. Without a mask, as in the files of multi-track recorders,
 * each channel is audible
 */
export function mixDown(inputChannels: Channels, channelMask: number | undefined): Channels {
  if (inputChannels.length <= 2) return inputChannels
  const channelSpeakers = listSpeakers(inputChannels.length, channelMask || undefined)
  const gains = (['left', 'right'] as const).map((side) => channelSpeakers.map((speaker) => computeSpeakerGain(speaker, side)))
  const divisor = Math.max(...gains.map((sideGains) => sideGains.reduce((sum, gain) => sum + gain, 0))) || 1
  return gains.map((sideGains) => mixSide(inputChannels, sideGains, divisor))
}

function listSpeakers(channelCount: number, channelMask: number | undefined): readonly Speaker[] {
  const speakerMask = channelMask ?? findCodecChannelMask(channelCount) ?? 0x63f
  const maskSpeakers = MASK_SPEAKERS.filter((_, bit) => ((speakerMask >> bit) & 1) === 1)
  return Array.from({ length: channelCount }, (_, index): Speaker => {
    // Channels that the mask does not name have no speaker. In files without a mask, such channels continue the pairs of left and right.
    const speaker = maskSpeakers[index] ?? (channelMask !== undefined ? 'centre' : index % 2 === 0 ? 'left surround' : 'right surround')
    return speaker === 'lfe' && channelMask === undefined ? 'centre' : speaker
  })
}

function computeSpeakerGain(speaker: Speaker, outputSide: 'left' | 'right'): number {
  if (speaker === outputSide) return 1
  return speaker === 'centre' || speaker === `${outputSide} surround` ? Math.SQRT1_2 : 0
}

function mixSide(inputChannels: Channels, channelGains: readonly number[], gainDivisor: number): Float32Array<ArrayBuffer> {
  const mixedSamples = new Float32Array(inputChannels[0]?.length ?? 0)
  inputChannels.forEach((samples, channelIndex) => {
    const channelGain = (channelGains[channelIndex] ?? 0) / gainDivisor
    if (channelGain === 0) return
    for (let frame = 0; frame < mixedSamples.length; frame++)
      mixedSamples[frame] = (mixedSamples[frame] ?? 0) + channelGain * (samples[frame] ?? 0)
  })
  return mixedSamples
}
