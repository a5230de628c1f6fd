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
  /** The decoder configuration of the packets: an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
  readonly description: Uint8Array<ArrayBuffer>
  /**
   * Encodes samples. They need not continue the samples of the previous call. In the result, packet n begins with the samples of packet n - 1 of the
   * piece.
   */
  encode(request: AacRequest): Uint8Array<ArrayBuffer>[]
}

export async function openAacStream({ sampleRate, bitsPerSecond }: AacOpenRequest): Promise<AacStream> {
  const aacModule = (await createModule()) as AacModule
  const encoderAddress = aacModule._init_encoder(CHANNEL_COUNT, sampleRate, bitsPerSecond)
  if (encoderAddress === 0) throw new Error('the AAC encoder could not be opened')
  const packetFrames = aacModule._get_encoder_frame_size(encoderAddress)
  const packetBytes = packetFrames * CHANNEL_COUNT * Float32Array.BYTES_PER_ELEMENT
  let sentFrames = 0

  /** Passes the samples of one packet to the encoder, and returns the packet with the previously passed samples. */
  function sendFrame(samples: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    aacModule.HEAPU8.set(samples, aacModule._get_encode_input_ptr(encoderAddress, packetBytes))
    const resultCode = aacModule._send_frame(encoderAddress, BigInt(sentFrames))
    if (resultCode < 0) throw new Error(`the AAC encoder failed: ${resultCode}`)
    sentFrames += packetFrames
    const packetSize = aacModule._receive_packet(encoderAddress)
    if (packetSize < 0) throw new Error(`the AAC encoder failed: ${packetSize}`)
    const at = aacModule._get_encoded_data(encoderAddress)
    return packetSize === 0 ? undefined : aacModule.HEAPU8.slice(at, at + packetSize)
  }

  const byteAddress = aacModule._get_encoder_extradata(encoderAddress)
  const decoderDescription = aacModule.HEAPU8.slice(byteAddress, byteAddress + aacModule._get_encoder_extradata_size(encoderAddress))
  sendFrame(new Uint8Array(packetBytes))
  return {
    description: decoderDescription,
    encode({ samples, firstPacket, packets }) {
      const sampleBytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
      const encodedPackets: Uint8Array<ArrayBuffer>[] = []
      for (let packetStart = 0; packetStart < sampleBytes.length; packetStart += packetBytes) {
        const packet = sendFrame(sampleBytes.subarray(packetStart, packetStart + packetBytes))
        // The first call returns the last packet of the previous piece, which is dropped.
        if (packetStart > 0 && packet !== undefined) encodedPackets.push(packet)
      }
      const returned = encodedPackets.slice(firstPacket, firstPacket + packets)
      if (returned.length !== packets) throw new Error(`the AAC encoder made ${returned.length} of ${packets} packets`)
      return returned
    },
  }
}
