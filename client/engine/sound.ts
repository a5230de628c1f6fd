/** A decoded sound, wherever its samples lie. */
export interface Sound {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly frames: number
  /** Copies frames startFrame .. startFrame + into[0].length into arrays, one for each channel. */
  read(startFrame: number, into: readonly Float32Array<ArrayBuffer>[]): Promise<void> | void
  dispose(): void
}

/** A sound in memory. */
export function createMemorySound(sampleRate: number, channels: readonly Float32Array<ArrayBuffer>[]): Sound {
  let samples = channels
  return {
    sampleRate,
    channels: channels.length === 1 ? 1 : 2,
    frames: channels[0]?.length ?? 0,
    read(startFrame, into) {
      into.forEach((array, channel) => {
        const wanted = samples[channel]?.subarray(startFrame, startFrame + array.length)
        if (wanted !== undefined) array.set(wanted)
      })
    },
    dispose() {
      samples = []
    },
  }
}
