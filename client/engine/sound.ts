/** A decoded sound of one or two channels at the file's own rate. */
export interface Sound {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly frames: number
  /** Copies frames startFrame .. startFrame + into[0].length into arrays, one for each channel. The range lies within the sound. */
  read(startFrame: number, into: readonly Float32Array<ArrayBuffer>[]): Promise<void> | void
  /** Frees memory and disk. */
  dispose(): void
}

/**
 * A sound that is held in memory, in the arrays that were given.
 *
 * @throws RangeError for anything but one or two channels of one length
 */
export function createMemorySound(channels: readonly Float32Array<ArrayBuffer>[], sampleRate: number): Sound {
  const count = channels.length
  const frames = channels[0]?.length ?? 0
  if (count !== 1 && count !== 2) throw new RangeError(`${count} channels are not one or two`)
  if (channels.some((samples) => samples.length !== frames)) throw new RangeError('the channels differ in length')
  let held = channels
  return {
    sampleRate,
    channels: count,
    frames,
    read(startFrame, into) {
      into.forEach((target, channel) => {
        const source = held[channel]
        if (source === undefined || startFrame < 0 || startFrame + target.length > frames) throw new RangeError('not within the sound')
        target.set(source.subarray(startFrame, startFrame + target.length))
      })
    },
    dispose() {
      held = []
    },
  }
}

/** What a stored sound needs: its bytes, 32-bit floats in the processor's order, the channels of a frame side by side. */
export interface StoredSamples {
  readonly blob: Blob
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** Frees the disk. */
  dispose(): void
}

/** A sound that lies on the disk. A read rejects when the file is gone. */
export function createStoredSound({ blob, sampleRate, channels, dispose }: StoredSamples): Sound {
  const frameBytes = channels * Float32Array.BYTES_PER_ELEMENT
  const frames = Math.floor(blob.size / frameBytes)
  return {
    sampleRate,
    channels,
    frames,
    async read(startFrame, into) {
      const count = into[0]?.length ?? 0
      if (startFrame < 0 || startFrame + count > frames) throw new RangeError('not within the sound')
      const interleaved = new Float32Array(await blob.slice(startFrame * frameBytes, (startFrame + count) * frameBytes).arrayBuffer())
      into.forEach((samples, channel) => {
        for (let frame = 0; frame < count; frame++) samples[frame] = interleaved[frame * channels + channel] ?? 0
      })
    },
    dispose,
  }
}
