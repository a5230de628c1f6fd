import { AudioSample } from 'mediabunny'
import { codecChannelMask } from '../../../dsp/mix-down.ts'
import { blobSource } from '../blob-source.ts'
import type { Channels } from './calls.ts'
import { copyPlanes } from './copy-planes.ts'
import { type FlacRun, scanFlac } from './flac-packets.ts'
import { joinSources } from './joined-source.ts'
import { readTags } from './media-source.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/** The number of packets that wait in the browser's decoder, and of bytes that are read at once. */
const MAX_QUEUE = 16
const READ_BYTES = 2 ** 20
/** The time after which a decoder that returns nothing is given up. */
const DECODER_TIMEOUT_MS = 10_000

/** Opens a FLAC file (RFC 9639) by its packets: the lengths and offsets of its headers are not used. Never rejects. */
export async function openFlac(blob: Blob): Promise<SampleSource | SourceFailure> {
  try {
    const runs = await scanFlac(blobSource(blob))
    if (runs.length === 0) return 'no-sound'
    const source = await joinSources(runs.map((run) => () => openRun(blob, run)))
    return typeof source === 'string' ? source : { ...source, facts: { ...source.facts, ...(await readTags(blob)) } }
  } catch {
    return 'undecodable'
  }
}

async function openRun(blob: Blob, run: FlacRun): Promise<SampleSource | SourceFailure> {
  const { sampleRate, channels, frames: announcedFrames } = run.format
  if (!isPlayableRate(sampleRate) || channels > MAX_CHANNELS) return 'undecodable'
  const config = { codec: 'flac', sampleRate, numberOfChannels: channels, description: descriptionOf(run) }
  const isStreamable = typeof AudioDecoder !== 'undefined' && (await AudioDecoder.isConfigSupported(config)).supported === true
  return {
    facts: {
      codec: 'other',
      isWorkerPreferred: true,
      isUncompressed: false,
      isStreamable,
      sampleRate,
      channels,
      channelMask: codecChannelMask(channels),
      expectedFrames: run.frames,
      declaredFrames: run.frames,
      isCut: announcedFrames > run.frames && !run.hasGaps,
      hasGaps: run.hasGaps,
      title: undefined,
      artist: undefined,
    },
    ...(isStreamable && { chunks: () => decodeRun(blob, run, config) }),
  }
}

/** Returns the marker and STREAMINFO as decoders need them, without the sizes and the length, which may be wrong: 0 means that they are unknown. */
function descriptionOf({ format: { sampleRate, channels, bitsPerSample } }: FlacRun): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(42)
  bytes.set([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34])
  const view = new DataView(bytes.buffer)
  const [MIN_BLOCK_FRAMES, MAX_BLOCK_FRAMES] = [16, 65_535]
  view.setUint16(8, MIN_BLOCK_FRAMES)
  view.setUint16(10, MAX_BLOCK_FRAMES)
  view.setUint32(18, (sampleRate << 12) | ((channels - 1) << 9) | ((bitsPerSample - 1) << 4))
  return bytes
}

/** Decodes packet by packet. A packet that cannot be decoded is left out, as players do. */
async function* decodeRun(blob: Blob, run: FlacRun, config: AudioDecoderConfig): AsyncGenerator<Channels> {
  for (let next = 0; next < run.starts.length; ) {
    const decoder = createDecoder(config)
    let decoded = 0
    try {
      for await (const data of decoder.decode(packetsOf(blob, run, next))) {
        decoded += 1
        const sample = new AudioSample(data)
        try {
          yield copyPlanes(sample, 0, sample.numberOfFrames)
        } finally {
          sample.close()
        }
      }
    } finally {
      decoder.close()
    }
    if (decoder.error === undefined) return
    next += decoded + 1
  }
}

/** Yields the packets from the one at `index` on. */
async function* packetsOf(blob: Blob, { starts, ends }: FlacRun, index: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array()
  let readStart = 0
  for (let packet = index; packet < starts.length; packet++) {
    const [start = 0, end = 0] = [starts[packet], ends[packet]]
    if (end > readStart + bytes.length || start < readStart) {
      readStart = start
      bytes = new Uint8Array(await blob.slice(start, Math.max(end, start + READ_BYTES)).arrayBuffer())
    }
    yield bytes.slice(start - readStart, end - readStart)
  }
}

function createDecoder(config: AudioDecoderConfig) {
  const outputs: AudioData[] = []
  let error: DOMException | undefined
  let packetCount = 0
  let wake = () => {}
  const changed = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the decoder returns nothing')), DECODER_TIMEOUT_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const decoder = new AudioDecoder({
    output: (data) => {
      outputs.push(data)
      wake()
    },
    error: (reason) => {
      error = reason
      wake()
    },
  })
  decoder.ondequeue = () => wake()
  decoder.configure(config)
  return {
    get error() {
      return error
    },
    /** Yields the decoded packets in order, up to one that cannot be decoded. */
    async *decode(packets: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<AudioData> {
      for await (const data of packets) {
        while (error === undefined && decoder.decodeQueueSize + outputs.length >= MAX_QUEUE) {
          const output = outputs.shift()
          if (output !== undefined) yield output
          else await changed()
        }
        if (error !== undefined) break
        decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: packetCount++, data }))
      }
      const flushed =
        error === undefined
          ? decoder
              .flush()
              .catch(() => {})
              .then(wake)
          : undefined
      let isFlushed = flushed === undefined
      void flushed?.then(() => {
        isFlushed = true
        wake()
      })
      for (;;) {
        const output = outputs.shift()
        if (output !== undefined) yield output
        else if (isFlushed || error !== undefined) return
        else await changed()
      }
    },
    close() {
      for (const data of outputs) data.close()
      if (decoder.state !== 'closed') decoder.close()
    },
  }
}
