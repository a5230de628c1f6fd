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

let encoderExports: EncoderExports | undefined

serveCalls<Mp3Calls>({
  async open({ module }) {
    // The compiler generates no types, so this interface must be kept equal to lame/encoder.c by hand.
    encoderExports = (await WebAssembly.instantiate(module)).exports as unknown as EncoderExports
    encoderExports._initialize()
    return { response: undefined }
  },
  encode: encodePiece,
})

/** Encodes a piece of a sound with a new encoder, so that the packets do not depend on the pieces that the worker encoded before. */
function encodePiece({ samples, sampleRate, kbps, quality, warmUpPackets, packets, isLast }: Mp3PieceRequest): CallReply<EncodedBytes> {
  if (encoderExports === undefined) throw new Error('encode was called before open')
  const { memory } = encoderExports
  const requireSuccess = (resultCode: number) => {
    if (resultCode < 0) throw new Error(`the MP3 encoder failed with ${resultCode}`)
    return resultCode
  }
  requireSuccess(encoderExports.start(sampleRate, samples.length, kbps, quality))
  const outputBytes = new Uint8Array((packets + warmUpPackets + 1) * Math.ceil((144_000 * kbps) / sampleRate))
  let outputByteCount = 0
  const appendBytes = (byteCount: number, byteAddress: number) => {
    const encoded = new Uint8Array(memory.buffer, byteAddress, Math.min(byteCount, outputBytes.length - outputByteCount))
    outputBytes.set(encoded, outputByteCount)
    outputByteCount += encoded.length
  }
  const frames = samples[0]?.length ?? 0
  for (let startFrame = 0; startFrame < frames; startFrame += encoderExports.inputSamples()) {
    const frameCount = Math.min(encoderExports.inputSamples(), frames - startFrame)
    for (const [channel, channelSamples] of samples.entries())
      new Float32Array(memory.buffer, encoderExports.inputOf(channel), frameCount).set(
        channelSamples.subarray(startFrame, startFrame + frameCount),
      )
    appendBytes(requireSuccess(encoderExports.encode(frameCount)), encoderExports.output())
  }
  if (isLast) appendBytes(requireSuccess(encoderExports.finish()), encoderExports.output())
  const start = findPacketsEnd(outputBytes, 0, warmUpPackets, kbps, sampleRate)
  const piece = outputBytes.slice(start, findPacketsEnd(outputBytes, start, packets, kbps, sampleRate))
  return { response: { bytes: piece }, transfer: [piece.buffer] }
}

/** Returns the offset after `packetCount` packets from the offset `startByte`. A packet is one byte longer if its padding bit is set. */
function findPacketsEnd(bytes: Uint8Array, startByte: number, packetCount: number, bitrateKbps: number, sampleRate: number): number {
  let endByte = startByte
  for (let packet = 0; packet < packetCount; packet++) {
    if (bytes[endByte] !== 0xff) throw new Error('the MP3 encoder wrote too few packets')
    endByte += Math.floor((144_000 * bitrateKbps) / sampleRate) + (((bytes[endByte + 2] ?? 0) >> 1) & 1)
  }
  return endByte
}
