import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders'
import type { Mp3Answer, Mp3Request } from '../mp3-messages.ts'
import { answerRequests } from './answering.ts'

let encoder: WasmMediaEncoder<'audio/mpeg'> | undefined

answerRequests<Mp3Request, Mp3Answer>(async (request) => {
  const bytes = await handle(request)
  return { answer: { kind: 'encoded', bytes }, transfer: [bytes.buffer] }
})

/** What it returns is copied: the encoder's own array changes with its next call. */
async function handle(request: Mp3Request): Promise<Uint8Array<ArrayBuffer>> {
  if (request.kind === 'open') {
    const { module, sampleRate, channels, kbps } = request
    encoder = await createEncoder('audio/mpeg', module)
    encoder.configure({ sampleRate, channels, bitrate: kbps })
    return new Uint8Array()
  }
  if (encoder === undefined) throw new Error('samples came before their format')
  return new Uint8Array(request.kind === 'encode' ? encoder.encode(request.samples) : encoder.finalize())
}
