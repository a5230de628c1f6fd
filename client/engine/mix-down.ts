/**
 * More than two channels become two as ITU-R BS.775-4, annex 4, table 2, says: L' = L + 0.7071 C + 0.7071 Ls, R' alike, without the low-frequency
 * channel. All is divided by the sum of the gains, so that no channel of the result is louder than the loudest of the source.
 *
 * @param channels in the order of WAVE files and of the Web Audio API: L R C LFE Ls Rs
 */
export function mixDown(channels: readonly Float32Array<ArrayBuffer>[]): readonly Float32Array<ArrayBuffer>[] {
  if (channels.length <= 2) return channels
  const places = placesOf(channels.length)
  return [mixed(channels, places, 'left'), mixed(channels, places, 'right')]
}

type Place = 'left' | 'right' | 'centre' | 'lfe' | 'left surround' | 'right surround'

const SURROUND: readonly Place[] = ['left', 'right', 'centre', 'lfe', 'left surround', 'right surround']

/** Of more channels than 5.1 has, the further pairs are surround too; the middle one at the back of 6.1 is for both sides, as the centre. */
function placesOf(count: number): readonly Place[] {
  if (count === 3) return ['left', 'right', 'centre']
  if (count === 4) return ['left', 'right', 'left surround', 'right surround']
  if (count === 5) return ['left', 'right', 'centre', 'left surround', 'right surround']
  if (count === 7) return ['left', 'right', 'centre', 'lfe', 'centre', 'left surround', 'right surround']
  return Array.from({ length: count }, (_, index) => SURROUND[index] ?? (index % 2 === 0 ? 'left surround' : 'right surround'))
}

function gainOf(place: Place, side: 'left' | 'right'): number {
  if (place === side) return 1
  return place === 'centre' || place === `${side} surround` ? Math.SQRT1_2 : 0
}

function mixed(channels: readonly Float32Array[], places: readonly Place[], side: 'left' | 'right'): Float32Array<ArrayBuffer> {
  const gains = places.map((place) => gainOf(place, side))
  const sum = gains.reduce((total, gain) => total + gain, 0)
  const result = new Float32Array(channels[0]?.length ?? 0)
  channels.forEach((samples, channel) => {
    const gain = (gains[channel] ?? 0) / sum
    if (gain === 0) return
    for (let frame = 0; frame < result.length; frame++) result[frame] = (result[frame] ?? 0) + gain * (samples[frame] ?? 0)
  })
  return result
}
