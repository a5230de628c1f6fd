export const SONG_RATE = 44_100
const SONG_SECONDS = 240

/** Four minutes of stereo below full scale: tones that come and go, and noise. */
export function makerSong(level = 1): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
  const channel = (seed: number) => {
    let random = seed
    return Float32Array.from({ length: SONG_SECONDS * SONG_RATE }, (_, frame) => {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0
      const beat = Math.exp(-((frame % 20_000) / 6000))
      return level * (0.3 * beat * Math.sin(frame * 0.0078 * seed) + 0.2 * Math.sin(frame * 0.0313 + seed) + (0.05 * random) / 2 ** 31)
    })
  }
  return [channel(1), channel(2)]
}
