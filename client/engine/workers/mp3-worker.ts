import type { EncodedBytes, Mp3Calls, Mp3PieceRequest } from './calls.ts'
import { type CallReply, serveCalls } from './serve-calls.ts'

/** The functions that `lame/encoder.c` exports. Addresses are in bytes; results below 0 are errors of LAME. */
interface EncoderExports {
  readonly memory: WebAssembly.Memory
  _initialize(): void
  start(sampleRate: number, channels: number, kbps: number, quality: number): number
  inputOf(channel: number): number
  inputSamples(): number
  output(): number
  encode(samples: number): number
  finish(): number
}

let encoder: EncoderExports | undefined

serveCalls<Mp3Calls>({
  async open({ module }) {
    // The compiler generates no types, so this interface must be kept equal to lame/encoder.c by hand.
    encoder = (await WebAssembly.instantiate(module)).exports as unknown as EncoderExports
    encoder._initialize()
    return { response: undefined }
  },
  encode: encodePiece,
})

/** Encodes a piece of a sound with a new encoder, so that the packets do not depend on the pieces that the worker encoded before. */
function encodePiece({ samples, sampleRate, kbps, quality, warmUpPackets, packets, isLast }: Mp3PieceRequest): CallReply<EncodedBytes> {
  if (encoder === undefined) throw new Error('encode was called before open')
  const { memory } = encoder
  const requireSuccess = (result: number) => {
    if (result < 0) throw new Error(`the MP3 encoder failed with ${result}`)
    return result
  }
  requireSuccess(encoder.start(sampleRate, samples.length, kbps, quality))
  const bytes = new Uint8Array((packets + warmUpPackets + 1) * Math.ceil((144_000 * kbps) / sampleRate))
  let length = 0
  const append = (byteCount: number, byteAddress: number) => {
    const encoded = new Uint8Array(memory.buffer, byteAddress, Math.min(byteCount, bytes.length - length))
    bytes.set(encoded, length)
    length += encoded.length
  }
  const frames = samples[0]?.length ?? 0
  for (let startFrame = 0; startFrame < frames; startFrame += encoder.inputSamples()) {
    const frameCount = Math.min(encoder.inputSamples(), frames - startFrame)
    for (const [channel, channelSamples] of samples.entries())
      new Float32Array(memory.buffer, encoder.inputOf(channel), frameCount).set(
        channelSamples.subarray(startFrame, startFrame + frameCount),
      )
    append(requireSuccess(encoder.encode(frameCount)), encoder.output())
  }
  if (isLast) append(requireSuccess(encoder.finish()), encoder.output())
  const start = packetsEnd(bytes, 0, warmUpPackets, kbps, sampleRate)
  const piece = bytes.slice(start, packetsEnd(bytes, start, packets, kbps, sampleRate))
  return { response: { bytes: piece }, transfer: [piece.buffer] }
}

/** Returns the offset after `packetCount` packets from the offset `startByte`. A packet is one byte longer if its padding bit is set. */
function packetsEnd(bytes: Uint8Array, startByte: number, packetCount: number, kbps: number, sampleRate: number): number {
  let end = startByte
  for (let packet = 0; packet < packetCount; packet++) {
    if (bytes[end] !== 0xff) throw new Error('the MP3 encoder wrote too few packets')
    end += Math.floor((144_000 * kbps) / sampleRate) + (((bytes[end + 2] ?? 0) >> 1) & 1)
  }
  return end
}
