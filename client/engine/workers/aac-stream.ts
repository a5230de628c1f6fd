import createModule from '../../../node_modules/@mediabunny/aac-encoder/dist/modules/build/aac.js'
import type { AacOpenRequest, AacRequest } from './calls.ts'

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
  _get_encoded_data(encoder: number): number
}

const CHANNEL_COUNT = 2

/** An encoder that stays open from one piece of a sound to the next, because its rate control takes some 30 packets to settle. */
export interface AacStream {
  /** The AudioSpecificConfig. */
  readonly description: Uint8Array<ArrayBuffer>
  /**
   * Encodes samples. They need not continue the samples of the previous call. In the result, packet n begins with the samples of packet n - 1 of the
   * piece.
   */
  encode(request: AacRequest): Uint8Array<ArrayBuffer>[]
}

export async function openAacStream({ sampleRate, bitsPerSecond }: AacOpenRequest): Promise<AacStream> {
  const module = (await createModule()) as AacModule
  const encoder = module._init_encoder(CHANNEL_COUNT, sampleRate, bitsPerSecond)
  if (encoder === 0) throw new Error('the AAC encoder could not be opened')
  const packetFrames = module._get_encoder_frame_size(encoder)
  const packetBytes = packetFrames * CHANNEL_COUNT * Float32Array.BYTES_PER_ELEMENT
  let sentFrames = 0

  /** Passes the samples of one packet to the encoder, and returns the packet with the previously passed samples. */
  function send(samples: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    module.HEAPU8.set(samples, module._get_encode_input_ptr(encoder, packetBytes))
    const result = module._send_frame(encoder, BigInt(sentFrames))
    if (result < 0) throw new Error(`the AAC encoder failed: ${result}`)
    sentFrames += packetFrames
    const size = module._receive_packet(encoder)
    if (size < 0) throw new Error(`the AAC encoder failed: ${size}`)
    const at = module._get_encoded_data(encoder)
    return size === 0 ? undefined : module.HEAPU8.slice(at, at + size)
  }

  const at = module._get_encoder_extradata(encoder)
  const description = module.HEAPU8.slice(at, at + module._get_encoder_extradata_size(encoder))
  send(new Uint8Array(packetBytes))
  return {
    description,
    encode({ samples, firstPacket, packets }) {
      const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
      const encoded: Uint8Array<ArrayBuffer>[] = []
      for (let start = 0; start < bytes.length; start += packetBytes) {
        const packet = send(bytes.subarray(start, start + packetBytes))
        // The first call returns the last packet of the previous piece, which is dropped.
        if (start > 0 && packet !== undefined) encoded.push(packet)
      }
      const returned = encoded.slice(firstPacket, firstPacket + packets)
      if (returned.length !== packets) throw new Error(`the AAC encoder made ${returned.length} of ${packets} packets`)
      return returned
    },
  }
}
