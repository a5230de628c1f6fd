import { AudioSample } from 'mediabunny'

/** The packets of a file without a container format. They are decoded one by one. */
export interface PacketRange {
  /** The offset of each packet in the file, and its end. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** Changes the bytes of a packet before it is decoded. */
  readonly change?: ((packet: Uint8Array<ArrayBuffer>, index: number) => Uint8Array<ArrayBuffer>) | undefined
}

/** The maximum number of packets that wait in the browser's decoder, and the number of bytes that are read at a time. */
const MAX_QUEUED_PACKETS = 16
const READ_BYTES = 2 ** 20
/**
 * The time after which a decoder that returns nothing is given up. WebKitGTK claims to decode AAC, but without a plug-in it neither decodes
 * nor fails.
 */
export const DECODER_TIMEOUT_MS = 10_000
/** The maximum number of packets in a row that may fail to decode. */
const MAX_FAILURES = 100

/**
 * Resolves with `undefined` if the promise does not resolve in time. In WebKitGTK, queries about decoders stay pending after a decoder has
 * failed.
 */
export function withDecoderTimeout<T>(promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), DECODER_TIMEOUT_MS)
    promise
      .catch(() => undefined)
      .then((value) => {
        clearTimeout(timer)
        resolve(value)
      })
  })
}

/** Whether the browser has a decoder. Never rejects. */
export const isDecodable = async (config: AudioDecoderConfig): Promise<boolean> =>
  typeof AudioDecoder !== 'undefined' && (await withDecoderTimeout(AudioDecoder.isConfigSupported(config)))?.supported === true

/**
 * Decodes packets by WebCodecs. A packet that cannot be decoded is left out, as in other players. The caller closes the decoded samples.
 *
 * @throws Error if the decoder returns nothing for a while, or fails repeatedly
 */
export async function* decodePackets(blob: Blob, packets: PacketRange, config: AudioDecoderConfig): AsyncGenerator<AudioSample> {
  let failures = 0
  for (let nextPacket = 0; nextPacket < packets.starts.length; ) {
    const decoder = createDecoder(config)
    let decodedCount = 0
    try {
      for await (const data of decoder.decode(readPackets(blob, packets, nextPacket))) {
        decodedCount += 1
        yield new AudioSample(data)
      }
    } finally {
      decoder.close()
    }
    if (decoder.error === undefined) return
    failures = decodedCount === 0 ? failures + 1 : 1
    if (failures > MAX_FAILURES) throw decoder.error
    nextPacket += decodedCount + 1
  }
}

/** Yields the packets, starting with the one at `index`. */
async function* readPackets(blob: Blob, { starts, ends, change }: PacketRange, index: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array()
  let readStart = 0
  for (let packet = index; packet < starts.length; packet++) {
    const [start = 0, end = 0] = [starts[packet], ends[packet]]
    if (end > readStart + bytes.length || start < readStart) {
      readStart = start
      bytes = new Uint8Array(await blob.slice(start, Math.max(end, start + READ_BYTES)).arrayBuffer())
    }
    const data = bytes.slice(start - readStart, end - readStart)
    yield change === undefined ? data : change(data, packet)
  }
}

function createDecoder(config: AudioDecoderConfig) {
  const outputs: AudioData[] = []
  let error: DOMException | undefined
  let packetCount = 0
  let outputCount = 0
  let wake = () => {}
  const nextChange = () =>
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
      outputCount += 1
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
        while (error === undefined && decoder.decodeQueueSize + outputs.length >= MAX_QUEUED_PACKETS) {
          const output = outputs.shift()
          if (output !== undefined) yield output
          else await nextChange()
        }
        if (error !== undefined) break
        decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: packetCount++, data }))
      }
      let isFlushed = error !== undefined
      const flushing = isFlushed ? Promise.resolve() : decoder.flush()
      void flushing
        // A rejection is ignored here, because the `error` callback reports the failure.
        .catch(() => {})
        .then(() => {
          isFlushed = true
          wake()
        })
      for (;;) {
        const output = outputs.shift()
        if (output !== undefined) yield output
        // The outputs are counted, one for each packet, because WebKitGTK does not always report that its decoder is empty.
        else if (isFlushed || error !== undefined || outputCount === packetCount) return
        else await nextChange()
      }
    },
    close() {
      for (const data of outputs) data.close()
      if (decoder.state !== 'closed') decoder.close()
    },
  }
}
