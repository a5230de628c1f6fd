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

/** Returns the length of a sound in seconds. */
export const computeDurationS = ({ frames, sampleRate }: Pick<Sound, 'frames' | 'sampleRate'>): number => frames / sampleRate

/**
 * Creates a sound that uses the given arrays without copying them.
 *
 * @throws RangeError unless there are one or two channels of equal length
 */
export const createMemorySound = (channels: readonly Float32Array<ArrayBuffer>[], sampleRate: number): Sound =>
  createChunkedSound([channels], sampleRate)

/**
 * Creates a sound from consecutive chunks without copying them. A chunk consists of one array for each channel.
 *
 * @throws RangeError unless all chunks have one or all have two channels, which are of equal length
 */
export function createChunkedSound(soundChunks: readonly (readonly Float32Array<ArrayBuffer>[])[], sampleRate: number): Sound {
  const channelCount = soundChunks[0]?.length ?? 1
  if (channelCount !== 1 && channelCount !== 2) throw new RangeError(`a sound has one or two channels, not ${channelCount}`)
  let totalFrames = 0
  let placedChunks = soundChunks.map((chunkChannels) => {
    const chunkFrames = chunkChannels[0]?.length ?? 0
    if (chunkChannels.length !== channelCount || chunkChannels.some((samples) => samples.length !== chunkFrames))
      throw new RangeError('the channels differ in length')
    const startFrame = totalFrames
    totalFrames += chunkFrames
    return { startFrame, length: chunkFrames, channels: chunkChannels }
  })
  return {
    sampleRate,
    channels: channelCount,
    frames: totalFrames,
    read(startFrame, targets) {
      const targetFrames = targets[0]?.length ?? 0
      if (startFrame < 0 || startFrame + targetFrames > totalFrames || placedChunks.length === 0)
        throw new RangeError(`frame ${startFrame} and the following are not all within the sound`)
      let chunkIndex = placedChunks.findLastIndex((chunk) => chunk.startFrame <= startFrame)
      for (let copiedFrameCount = 0; copiedFrameCount < targetFrames; chunkIndex++) {
        const placedChunk = placedChunks[chunkIndex]
        if (placedChunk === undefined) return
        const firstChunkFrame = startFrame + copiedFrameCount - placedChunk.startFrame
        const chunkEndFrame = Math.min(placedChunk.length, firstChunkFrame + targetFrames - copiedFrameCount)
        for (const [channel, samples] of placedChunk.channels.entries())
          targets[channel]?.set(samples.subarray(firstChunkFrame, chunkEndFrame), copiedFrameCount)
        copiedFrameCount += chunkEndFrame - firstChunkFrame
      }
    },
    dispose() {
      placedChunks = []
    },
  }
}
