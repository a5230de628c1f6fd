import { AudioSample } from 'mediabunny'

/** The packets of a file without a container format. They are decoded one by one. */
export interface PacketRange {
  /** The offset of each packet in the file, and its end. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** Changes the bytes of a packet before it is decoded. */
  readonly changePacket?: ((packet: Uint8Array<ArrayBuffer>, index: number) => Uint8Array<ArrayBuffer>) | undefined
}

/** The maximum number of packets that wait in the browser's decoder, and the number of bytes that are read at a time. */
const MAX_QUEUED_PACKETS = 16
const BYTES_PER_READ = 2 ** 20
/**
 * The time after which a decoder that returns nothing is given up. WebKitGTK claims to decode AAC, but without a plug-in it neither decodes
 * nor fails.
 */
export const DECODER_TIMEOUT_MS = 10_000
/** The maximum number of packets in a row that may fail to decode. */
const MAX_CONSECUTIVE_FAILURES = 100

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
  let failureCount = 0
  for (let nextPacketIndex = 0; nextPacketIndex < packets.starts.length; ) {
    const decoder = createDecoder(config)
    let decodedCount = 0
    try {
      for await (const data of decoder.decode(readPackets(blob, packets, nextPacketIndex))) {
        decodedCount += 1
        yield new AudioSample(data)
      }
    } finally {
      decoder.close()
    }
    if (decoder.error === undefined) return
    failureCount = decodedCount === 0 ? failureCount + 1 : 1
    if (failureCount > MAX_CONSECUTIVE_FAILURES) throw decoder.error
    nextPacketIndex += decodedCount + 1
  }
}

/** Yields the packets, starting with the one at `firstPacketIndex`. */
async function* readPackets(
  blob: Blob,
  { starts, ends, changePacket }: PacketRange,
  firstPacketIndex: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let packetBytes = new Uint8Array()
  let readStartByte = 0
  for (let packetIndex = firstPacketIndex; packetIndex < starts.length; packetIndex++) {
    const [startByte = 0, endByte = 0] = [starts[packetIndex], ends[packetIndex]]
    if (endByte > readStartByte + packetBytes.length || startByte < readStartByte) {
      readStartByte = startByte
      packetBytes = new Uint8Array(await blob.slice(startByte, Math.max(endByte, startByte + BYTES_PER_READ)).arrayBuffer())
    }
    const data = packetBytes.slice(startByte - readStartByte, endByte - readStartByte)
    yield changePacket === undefined ? data : changePacket(data, packetIndex)
  }
}

function createDecoder(config: AudioDecoderConfig) {
  const outputData: AudioData[] = []
  let error: DOMException | undefined
  let packetCount = 0
  let outputCount = 0
  let wakeWaiter = () => {}
  const waitForNextChange = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the decoder returns nothing')), DECODER_TIMEOUT_MS)
      wakeWaiter = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const decoder = new AudioDecoder({
    output: (audioData) => {
      outputData.push(audioData)
      outputCount += 1
      wakeWaiter()
    },
    error: (reason) => {
      error = reason
      wakeWaiter()
    },
  })
  decoder.ondequeue = () => wakeWaiter()
  decoder.configure(config)
  return {
    get error() {
      return error
    },
    /** Yields the decoded packets in order, up to one that cannot be decoded. */
    async *decode(packets: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<AudioData> {
      for await (const packetData of packets) {
        while (error === undefined && decoder.decodeQueueSize + outputData.length >= MAX_QUEUED_PACKETS) {
          const output = outputData.shift()
          if (output !== undefined) yield output
          else await waitForNextChange()
        }
        if (error !== undefined) break
        decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: packetCount++, data: packetData }))
      }
      let isFlushed = error !== undefined
      const flushPromise = isFlushed ? Promise.resolve() : decoder.flush()
      void flushPromise
        // A rejection is ignored here, because the `error` callback reports the failure.
        .catch(() => {})
        .then(() => {
          isFlushed = true
          wakeWaiter()
        })
      for (;;) {
        const decodedData = outputData.shift()
        if (decodedData !== undefined) yield decodedData
        // The outputs are counted, one for each packet, because WebKitGTK does not always report that its decoder is empty.
        else if (isFlushed || error !== undefined || outputCount === packetCount) return
        else await waitForNextChange()
      }
    },
    close() {
      for (const data of outputData) data.close()
      if (decoder.state !== 'closed') decoder.close()
    },
  }
}
