import { openScratchFile } from '../scratch.ts'
import type { Channels } from './calls.ts'

/** Collects decoded samples of one or two channels. */
export interface SampleSink {
  readonly frames: number
  /** Adds samples to the sink. @throws DOMException QuotaExceededError if the disk is full */
  add(channels: Channels): void
  /** Returns the samples in memory, in chunks; none if the samples are in a file, which is then complete. */
  finish(): readonly Channels[]
  /** Releases the file. A second call does nothing. */
  release(): void
}

/**
 * The number of frames from which added arrays are used without a copy. Shorter ones are copied together: moving thousands of arrays to the
 * page takes long.
 */
const MIN_CHUNK_FRAMES = 2 ** 14
const BLOCK_FRAMES = 2 ** 17

/** Creates a sink that collects samples in memory. */
export function createMemorySink(): SampleSink {
  const storedChunks: Channels[] = []
  let currentBlock: { readonly channels: Channels; frames: number } | undefined
  let storedFrameCount = 0

  function endBlock() {
    if (currentBlock === undefined) return
    const { frames: blockFrames } = currentBlock
    storedChunks.push(currentBlock.channels.map((samples) => samples.subarray(0, blockFrames)))
    currentBlock = undefined
  }

  return {
    get frames() {
      return storedFrameCount
    },
    add(newChannels) {
      const addedFrames = newChannels[0]?.length ?? 0
      storedFrameCount += addedFrames
      if (addedFrames >= MIN_CHUNK_FRAMES || (currentBlock?.frames ?? 0) + addedFrames > BLOCK_FRAMES) endBlock()
      if (addedFrames >= MIN_CHUNK_FRAMES) {
        storedChunks.push(newChannels)
        return
      }
      currentBlock ??= { channels: newChannels.map(() => new Float32Array(BLOCK_FRAMES)), frames: 0 }
      for (const [channel, samples] of newChannels.entries()) currentBlock.channels[channel]?.set(samples, currentBlock.frames)
      currentBlock.frames += addedFrames
    },
    finish() {
      endBlock()
      return storedChunks
    },
    release() {},
  }
}

const BUFFER_FLOAT_COUNT = 2 ** 19

/** Writes to a scratch file in the format of `openStoredSound`. */
export async function createFileSink(scratchName: string, channelCount: number): Promise<SampleSink> {
  const fileHandle = await openScratchFile(scratchName)
  const accessHandle = await fileHandle.createSyncAccessHandle()
  const floatBuffer = new Float32Array(BUFFER_FLOAT_COUNT)
  let bufferedFloatCount = 0
  let writtenBytes = 0
  let storedFrames = 0

  function writeBuffer() {
    const bufferedSamples = floatBuffer.subarray(0, bufferedFloatCount)
    // Some browsers report a full disk only by the number of bytes written.
    if (accessHandle.write(bufferedSamples, { at: writtenBytes }) !== bufferedSamples.byteLength)
      throw new DOMException('the disk is full', 'QuotaExceededError')
    writtenBytes += bufferedSamples.byteLength
    bufferedFloatCount = 0
  }

  return {
    get frames() {
      return storedFrames
    },
    add(newChannels) {
      const addedFrames = newChannels[0]?.length ?? 0
      for (let frame = 0; frame < addedFrames; frame++) {
        for (const samples of newChannels) floatBuffer[bufferedFloatCount++] = samples[frame] ?? 0
        if (bufferedFloatCount > BUFFER_FLOAT_COUNT - channelCount) writeBuffer()
      }
      storedFrames += addedFrames
    },
    finish() {
      writeBuffer()
      const sizeBytes = accessHandle.getSize()
      accessHandle.flush()
      accessHandle.close()
      if (sizeBytes !== writtenBytes) throw new DOMException('the disk is full', 'QuotaExceededError')
      return []
    },
    // Closing the handle a second time does nothing.
    release: () => accessHandle.close(),
  }
}
