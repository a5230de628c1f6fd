/** A decoded sound of one or two channels at the file's own rate. */
export interface Sound {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly frames: number
  /** Copies the frames from `startFrame` to `targets`, an array for each channel. The range must be within the sound. */
  read(startFrame: number, targets: readonly Float32Array<ArrayBuffer>[]): Promise<void> | void
  /** Releases memory and disk space. */
  dispose(): void
}

/**
 * Creates a sound that uses the given arrays without copying them.
 *
 * @throws RangeError unless there are one or two channels of equal length
 */
export function createMemorySound(channels: readonly Float32Array<ArrayBuffer>[], sampleRate: number): Sound {
  const channelCount = channels.length
  const frames = channels[0]?.length ?? 0
  if (channelCount !== 1 && channelCount !== 2) throw new RangeError(`a sound has one or two channels, not ${channelCount}`)
  if (channels.some((samples) => samples.length !== frames)) throw new RangeError('the channels differ in length')
  let samplesOfChannels = channels
  return {
    sampleRate,
    channels: channelCount,
    frames,
    read(startFrame, targets) {
      targets.forEach((target, channel) => {
        const source = samplesOfChannels[channel]
        if (source === undefined || startFrame < 0 || startFrame + target.length > frames)
          throw new RangeError(`frame ${startFrame} and the following are not all within the sound`)
        target.set(source.subarray(startFrame, startFrame + target.length))
      })
    },
    dispose() {
      samplesOfChannels = []
    },
  }
}
