import { openScratch } from '../scratch.ts'
import type { Channels } from './calls.ts'

/** Collects decoded samples of one or two channels. */
export interface SampleSink {
  readonly frames: number
  /** Adds samples to the sink. @throws DOMException QuotaExceededError if the disk is full */
  add(channels: Channels): void
  /** Returns the samples in memory; an empty array if they are in a file, which is complete then. */
  finish(): Channels
  /** Releases the file. A second call does nothing. */
  release(): void
}

/**
 * Creates a sink that collects samples in memory. @param expectedFrames number of frames that memory is allocated for with the first samples; more
 * is allocated when needed
 */
export function createMemorySink(channelCount: number, expectedFrames: number): SampleSink {
  let channels: Channels = Array.from({ length: channelCount }, () => new Float32Array())
  let frames = 0
  return {
    get frames() {
      return frames
    },
    add(addedChannels) {
      const addedFrames = addedChannels[0]?.length ?? 0
      const capacity = channels[0]?.length ?? 0
      frames += addedFrames
      if (addedFrames === expectedFrames && capacity === 0) {
        // If the first samples are the whole sound, their arrays are used without a copy.
        channels = addedChannels
        return
      }
      if (frames > capacity) channels = channels.map((samples) => resizeArray(samples, Math.max(expectedFrames, 2 * capacity, frames)))
      channels.forEach((samples, channel) => {
        const source = addedChannels[channel]
        if (source !== undefined) samples.set(source, frames - addedFrames)
      })
    },
    finish: () => channels.map((samples) => (samples.length === frames ? samples : samples.slice(0, frames))),
    release() {},
  }
}

const BUFFER_FLOATS = 2 ** 19

/** Writes to a scratch file in the format of `openStoredSound`. */
export async function createFileSink(scratchName: string, channelCount: number): Promise<SampleSink> {
  const handle = await openScratch(scratchName)
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

function resizeArray(samples: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const largerArray = new Float32Array(length)
  largerArray.set(samples)
  return largerArray
}
