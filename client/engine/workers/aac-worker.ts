import { joinPackets } from '../video/aac-pieces.ts'
import { type AacStream, openAacStream } from './aac-stream.ts'
import type { AacCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

let stream: AacStream | undefined

serveCalls<AacCalls>({
  async open(request) {
    stream = await openAacStream(request)
    return { response: { description: stream.description } }
  },
  encode(request) {
    if (stream === undefined) throw new Error('samples were sent before open')
    const response = joinPackets(stream.encode(request))
    return { response, transfer: [response.bytes.buffer] }
  },
})
