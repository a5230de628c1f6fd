import createModule from '../../../node_modules/@mediabunny/aac-encoder/dist/modules/build/aac.js'
import type { AacCalls, AacRequest, AacResponse } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

/** The functions of the WebAssembly module (`src/bridge.c` of the package). Pointers are numbers. */
interface AacModule {
  readonly HEAPU8: Uint8Array
  _init_encoder(channels: number, sampleRate: number, bitsPerSecond: number): number
  _get_encoder_frame_size(encoder: number): number
  _get_encoder_extradata(encoder: number): number
  _get_encoder_extradata_size(encoder: number): number
  _get_encode_input_ptr(encoder: number, bytes: number): number
  _send_frame(encoder: number, time: bigint): number
  _receive_packet(encoder: number): number
  _flush_encoder_start(encoder: number): void
  _get_encoded_data(encoder: number): number
  _close_encoder(encoder: number): void
}

const CHANNELS = 2

let opened: { readonly module: AacModule; readonly sampleRate: number; readonly bitsPerSecond: number } | undefined

serveCalls<AacCalls>({
  async open({ sampleRate, bitsPerSecond }) {
    opened = { module: (await createModule()) as AacModule, sampleRate, bitsPerSecond }
    return { response: { description: withEncoder((module, encoder) => descriptionOf(module, encoder)) } }
  },
  encode(request) {
    const response = withEncoder((module, encoder) => encodePart(module, encoder, request))
    return { response, transfer: [response.packets.bytes.buffer] }
  },
})

/** Runs `use` with an encoder in its initial state. */
function withEncoder<T>(use: (module: AacModule, encoder: number) => T): T {
  if (opened === undefined) throw new Error('samples were sent before open')
  const { module, sampleRate, bitsPerSecond } = opened
  const encoder = module._init_encoder(CHANNELS, sampleRate, bitsPerSecond)
  if (encoder === 0) throw new Error('the AAC encoder could not be opened')
  try {
    return use(module, encoder)
  } finally {
    module._close_encoder(encoder)
  }
}

function descriptionOf(module: AacModule, encoder: number): Uint8Array<ArrayBuffer> {
  const at = module._get_encoder_extradata(encoder)
  return module.HEAPU8.slice(at, at + module._get_encoder_extradata_size(encoder))
}

function encodePart(module: AacModule, encoder: number, { samples, warmUpPackets, packets }: AacRequest): AacResponse {
  const frameSamples = module._get_encoder_frame_size(encoder) * CHANNELS
  const frameBytes = frameSamples * Float32Array.BYTES_PER_ELEMENT
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  const encoded: Uint8Array[] = []
  const receive = () => {
    for (let size = module._receive_packet(encoder); size !== 0; size = module._receive_packet(encoder)) {
      if (size < 0) throw new Error(`the AAC encoder failed: ${size}`)
      const at = module._get_encoded_data(encoder)
      encoded.push(module.HEAPU8.slice(at, at + size))
    }
  }
  for (let frame = 0; frame * frameSamples < samples.length; frame++) {
    const input = module._get_encode_input_ptr(encoder, frameBytes)
    module.HEAPU8.set(bytes.subarray(frame * frameBytes, (frame + 1) * frameBytes), input)
    const result = module._send_frame(encoder, BigInt((frame * frameSamples) / CHANNELS))
    if (result < 0) throw new Error(`the AAC encoder failed: ${result}`)
    receive()
  }
  module._flush_encoder_start(encoder)
  receive()
  const kept = encoded.slice(warmUpPackets, warmUpPackets + packets)
  if (kept.length !== packets) throw new Error(`the AAC encoder made ${kept.length} of ${packets} packets`)
  return {
    packets: joinPackets(kept),
    windowBefore: windowOf(encoded[warmUpPackets - 1]),
    lastWindow: windowOf(kept.at(-1)),
  }
}

function joinPackets(packets: readonly Uint8Array[]) {
  const sizes = packets.map(({ length }) => length)
  const bytes = new Uint8Array(sizes.reduce((total, size) => total + size, 0))
  let offset = 0
  for (const packet of packets) {
    bytes.set(packet, offset)
    offset += packet.length
  }
  return { bytes, sizes }
}

/**
 * Returns the sequence and the shape of the first window. They are 3 bits after the element's id and tag and, in a channel pair, after
 * the flag common_window and a reserved bit (ISO/IEC 14496-3, tables 4.4 to 4.6). Without a common window, the bits are in the data of the left
 * channel, after its gain.
 */
function windowOf(packet: Uint8Array | undefined): number | undefined {
  if (packet === undefined) return undefined
  const hasCommonWindow = ((packet[0] ?? 0) & 1) === 1
  const bits = ((packet[1] ?? 0) << 8) | (packet[2] ?? 0)
  return hasCommonWindow ? (bits >> 12) & 7 : (bits >> 4) & 7
}
