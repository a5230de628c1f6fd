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
  const chunks: Channels[] = []
  let block: { readonly channels: Channels; frames: number } | undefined
  let frames = 0

  function endBlock() {
    if (block === undefined) return
    const { frames: blockFrames } = block
    chunks.push(block.channels.map((samples) => samples.subarray(0, blockFrames)))
    block = undefined
  }

  return {
    get frames() {
      return frames
    },
    add(channels) {
      const addedFrames = channels[0]?.length ?? 0
      frames += addedFrames
      if (addedFrames >= MIN_CHUNK_FRAMES || (block?.frames ?? 0) + addedFrames > BLOCK_FRAMES) endBlock()
      if (addedFrames >= MIN_CHUNK_FRAMES) {
        chunks.push(channels)
        return
      }
      block ??= { channels: channels.map(() => new Float32Array(BLOCK_FRAMES)), frames: 0 }
      for (const [channel, samples] of channels.entries()) block.channels[channel]?.set(samples, block.frames)
      block.frames += addedFrames
    },
    finish() {
      endBlock()
      return chunks
    },
    release() {},
  }
}

const BUFFER_FLOATS = 2 ** 19

/** Writes to a scratch file in the format of `openStoredSound`. */
export async function createFileSink(scratchName: string, channelCount: number): Promise<SampleSink> {
  const handle = await openScratchFile(scratchName)
  const file = await handle.createSyncAccessHandle()
  const buffer = new Float32Array(BUFFER_FLOATS)
  let bufferedFloats = 0
  let writtenBytes = 0
  let frames = 0

  function writeBuffer() {
    const bufferedSamples = buffer.subarray(0, bufferedFloats)
    // Some browsers report a full disk only by the number of bytes written.
    if (file.write(bufferedSamples, { at: writtenBytes }) !== bufferedSamples.byteLength)
      throw new DOMException('the disk is full', 'QuotaExceededError')
    writtenBytes += bufferedSamples.byteLength
    bufferedFloats = 0
  }

  return {
    get frames() {
      return frames
    },
    add(channels) {
      const addedFrames = channels[0]?.length ?? 0
      for (let frame = 0; frame < addedFrames; frame++) {
        for (const samples of channels) buffer[bufferedFloats++] = samples[frame] ?? 0
        if (bufferedFloats > BUFFER_FLOATS - channelCount) writeBuffer()
      }
      frames += addedFrames
    },
    finish() {
      writeBuffer()
      const sizeBytes = file.getSize()
      file.flush()
      file.close()
      if (sizeBytes !== writtenBytes) throw new DOMException('the disk is full', 'QuotaExceededError')
      return []
    },
    // Closing the handle a second time does nothing.
    release: () => file.close(),
  }
}
