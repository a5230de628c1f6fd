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
