import { serveCalls } from '../serve-calls.ts'
import type { EchoCalls } from './echo-calls.ts'

let cancelledCallCount = 0

serveCalls<EchoCalls>({
  echo: ({ bytes }) => ({ response: { bytes }, transfer: [bytes.buffer] }),
  fail({ name }) {
    throw new DOMException('failed on request', name)
  },
  async run(_, { signal, reportProgress }) {
    for (let progressStep = 1; ; progressStep++) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (signal.aborted) {
        cancelledCallCount++
        throw signal.reason
      }
      reportProgress(progressStep)
    }
  },
  countCancelled: () => ({ response: cancelledCallCount }),
  crash: () => {
    setTimeout(() => {
      throw new Error('crashed')
    })
    return new Promise(() => {})
  },
})
