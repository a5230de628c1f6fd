import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders'
import type { EncodedBytes, Mp3Calls } from './calls.ts'
import { type Reply, serveCalls } from './serve-calls.ts'

let encoder: WasmMediaEncoder<'audio/mpeg'> | undefined

serveCalls<Mp3Calls>({
  async open({ module, sampleRate, channels, kbps }) {
    encoder = await createEncoder('audio/mpeg', module)
    encoder.configure({ sampleRate, channels, bitrate: kbps })
    return { response: undefined }
  },
  encode: ({ samples }) => bytesReply(openEncoder().encode(samples)),
  finish: () => bytesReply(openEncoder().finalize()),
})

function openEncoder(): WasmMediaEncoder<'audio/mpeg'> {
  if (encoder === undefined) throw new Error('samples were sent before open')
  return encoder
}

/** The bytes are copied, because the encoder reuses its array for the next call. */
function bytesReply(encoded: Uint8Array): Reply<EncodedBytes> {
  const bytes = new Uint8Array(encoded)
  return { response: { bytes }, transfer: [bytes.buffer] }
}
