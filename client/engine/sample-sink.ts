import { openScratch } from './scratch.ts'

/** Where decoded samples go, one or two channels of them. */
export interface SampleSink {
  readonly frames: number
  /** @throws DOMException QuotaExceededError */
  add(channels: readonly Float32Array<ArrayBuffer>[]): void
  /** What came, in memory; empty where it is in a file. */
  close(): readonly Float32Array<ArrayBuffer>[]
}

/** @param expectedFrames memory for so many is taken with the first that come, and more when more come */
export function createMemorySink(channelCount: number, expectedFrames: number): SampleSink {
  let channels: readonly Float32Array<ArrayBuffer>[] = Array.from({ length: channelCount }, () => new Float32Array())
  let frames = 0
  return {
    get frames() {
      return frames
    },
    add(added) {
      const count = added[0]?.length ?? 0
      const room = channels[0]?.length ?? 0
      frames += count
      if (count === expectedFrames && room === 0) {
        // They are all: nothing is copied.
        channels = added
        return
      }
      if (frames > room) channels = channels.map((samples) => resized(samples, Math.max(expectedFrames, 2 * room, frames)))
      channels.forEach((samples, channel) => {
        const source = added[channel]
        if (source !== undefined) samples.set(source, frames - count)
      })
    },
    close: () => channels.map((samples) => (samples.length === frames ? samples : samples.slice(0, frames))),
  }
}

const BUFFER_FLOATS = 2 ** 19

/** Into a scratch file, as `createStoredSound` reads it; in a worker only. */
export async function createFileSink(scratchName: string, channelCount: number): Promise<SampleSink> {
  const handle = await openScratch(scratchName)
  const file = await handle.createSyncAccessHandle?.()
  if (file === undefined) throw new DOMException('files are written in workers only', 'NotSupportedError')
  const buffer = new Float32Array(BUFFER_FLOATS)
  let buffered = 0
  let writtenBytes = 0
  let frames = 0

  function write() {
    const bytes = buffer.subarray(0, buffered)
    // A full disk may also show by fewer bytes than were given.
    if (file?.write(bytes, { at: writtenBytes }) !== bytes.byteLength) throw new DOMException('the disk is full', 'QuotaExceededError')
    writtenBytes += bytes.byteLength
    buffered = 0
  }

  return {
    get frames() {
      return frames
    },
    add(channels) {
      const count = channels[0]?.length ?? 0
      for (let frame = 0; frame < count; frame++) {
        for (const samples of channels) buffer[buffered++] = samples[frame] ?? 0
        if (buffered > BUFFER_FLOATS - channelCount) write()
      }
      frames += count
    },
    close() {
      write()
      const sizeBytes = file.getSize()
      file.flush()
      file.close()
      if (sizeBytes !== writtenBytes) throw new DOMException('the disk is full', 'QuotaExceededError')
      return []
    },
  }
}

function resized(samples: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length)
  larger.set(samples)
  return larger
}
