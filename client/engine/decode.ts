import { readWav, WavError } from '../../dsp/read-wav.ts'
import type { LoadFailure, SoundFile } from './engine.ts'
import { createMemorySound, type Sound } from './sound.ts'

export interface Decoded {
  readonly kind: 'decoded'
  readonly sound: Sound
  readonly sourceChannels: number
  readonly title: string | undefined
  readonly artist: string | undefined
  readonly streamed: boolean
  readonly truncated: boolean
}

export interface DecodeOptions {
  readonly signal: AbortSignal
  /** 0 to 1, or undefined where it cannot be told. */
  readonly onProgress: (progress: number | undefined) => void
}

/** WAV files. */
export async function decode({ blob }: SoundFile, { signal }: DecodeOptions): Promise<Decoded | LoadFailure> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  if (signal.aborted) return { kind: 'cancelled' }
  try {
    const { channels, sampleRate, frames, tags } = readWav(bytes)
    if (frames === 0) return { kind: 'no-sound' }
    const sound = createMemorySound(sampleRate, channels.slice(0, 2))
    return {
      kind: 'decoded',
      sound,
      sourceChannels: channels.length,
      title: tags.title,
      artist: tags.artist,
      streamed: false,
      truncated: false,
    }
  } catch (error) {
    if (error instanceof WavError) return { kind: 'undecodable' }
    throw error
  }
}
