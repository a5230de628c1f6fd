import { joinBytes } from '../dsp/byte-source.ts'
import { encodeWavHeader } from '../dsp/wav.ts'

export const SONG_SAMPLE_RATE = 44_100
const SONG_SECONDS = 240

/** Synthesizes four minutes of stereo below full scale: decaying tones, and noise. */
export function createMakerSong(peakLevel = 1): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
  const synthesizeChannel = (seed: number) => {
    let randomState = seed
    return Float32Array.from({ length: SONG_SECONDS * SONG_SAMPLE_RATE }, (_, frame) => {
      randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) | 0
      const beatEnvelope = Math.exp(-((frame % 20_000) / 6000))
      return (
        peakLevel *
        (0.3 * beatEnvelope * Math.sin(frame * 0.0078 * seed) + 0.2 * Math.sin(frame * 0.0313 + seed) + (0.05 * randomState) / 2 ** 31)
      )
    })
  }
  return [synthesizeChannel(1), synthesizeChannel(2)]
}

/** Returns a song as a WAV file of 16 bits. Samples beyond full scale are clipped, as in many loud masters. */
export function createMakerSongWav(channels = createMakerSong()): Uint8Array<ArrayBuffer> {
  const frameCount = channels[0].length
  const samples = new Int16Array(2 * frameCount)
  for (const [channel, channelSamples] of channels.entries())
    channelSamples.forEach((sample, frame) => {
      samples[2 * frame + channel] = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767)))
    })
  const header = encodeWavHeader({ format: 'int16', channels: 2, sampleRate: SONG_SAMPLE_RATE, frames: frameCount })
  return joinBytes([header, new Uint8Array(samples.buffer)])
}
