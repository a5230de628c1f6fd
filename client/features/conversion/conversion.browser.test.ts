import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ConversionStatus } from '../../../contract/conversion.ts'
import { ApiCallError } from '../../platform/api.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { createConversion } from './conversion.ts'

/** A fake XMLHttpRequest. The test decides when its upload advances and what it responds. */
class FakeRequest {
  static last: FakeRequest
  upload: Partial<Pick<XMLHttpRequestUpload, 'onprogress' | 'onload'>> = {}
  onloadend = () => {}
  response: unknown = null
  isRequestAborted = false
  constructor() {
    FakeRequest.last = this
  }
  open() {}
  setRequestHeader() {}
  send() {}
  abort() {
    this.isRequestAborted = true
    this.onloadend()
  }
  endUpload() {
    // The cast is safe, because the handler does not read the event.
    this.upload.onload?.call(this as never, {} as ProgressEvent)
  }
  answer(responseJson: unknown) {
    this.response = responseJson
    this.onloadend()
  }
}

const song = { file: new File(['x'], 'a.mp3'), speed: 25, format: 'mp3' } as const
const unknownJobError = new ApiCallError('api', 404, 'There is no such conversion.')
const noConnection = new ApiCallError('network', 0, 'No connection to the server.')
const runningStatus: ConversionStatus = { state: 'running', progress: 0.5, file_name: 'a (+25%).mp3' }
const doneStatus: ConversionStatus = { state: 'done', progress: 1, file_name: 'a (+25%).mp3', url: '/api/make/file/1' }

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function openTab() {
  const identityChanges = createEmitter()
  const state = { uid: 'ann' as string | undefined, status: unknownJobError as ConversionStatus | ApiCallError, calls: [] as string[] }
  const call = async (endpointKey: string) => {
    state.calls.push(endpointKey)
    if (endpointKey !== 'GET /make/status') return null
    if (state.status instanceof ApiCallError) throw state.status
    return state.status
  }
  const conversion = createConversion({
    // The cast is safe, because a conversion calls only two endpoints: the status and the cancellation.
    accountApi: { call } as never,
    identity: {
      getSnapshot: () => (state.uid === undefined ? undefined : { uid: state.uid, email: `${state.uid}@example.com`, emailVerified: true }),
      subscribe: identityChanges.subscribe,
      token: async () => 'token',
    },
    baseUrl: '/api',
  })
  const signIn = (uid: string | undefined) => {
    state.uid = uid
    identityChanges.emit()
  }
  return { conversion, state, signIn }
}
const advanceSecond = () => vi.advanceTimersByTimeAsync(1_000)

it('conversion: the status is requested repeatedly until the server knows the upload; then the progress and the result are shown', async () => {
  const { conversion, state } = openTab()
  conversion.start(song)
  await advanceSecond()
  expect(conversion.getSnapshot()).toEqual({ state: 'busy', phase: 'uploading', progress: 0 })
  FakeRequest.last.endUpload()
  await advanceSecond()
  expect(conversion.getSnapshot()).toEqual({ state: 'busy', phase: 'queued', progress: 0 })
  state.status = runningStatus
  await advanceSecond()
  expect(conversion.getSnapshot()).toEqual({ state: 'busy', phase: 'running', progress: 0.5 })
  conversion.clear()
  expect(conversion.getSnapshot()).toMatchObject({ state: 'busy' })
  state.status = doneStatus
  await advanceSecond()
  expect(conversion.getSnapshot()).toMatchObject({ state: 'done', url: '/api/make/file/1', fileName: 'a (+25%).mp3' })
  FakeRequest.last.answer({ code: 200, message: 'OK', data: '/api/make/file/1' })
  conversion.clear()
  expect(conversion.getSnapshot()).toEqual({ state: 'none' })
})

it('conversion: if the connection is lost after the upload, the conversion continues; if it is lost during the upload, it fails', async () => {
  const { conversion, state } = openTab()
  conversion.start(song)
  await advanceSecond()
  FakeRequest.last.endUpload()
  state.status = runningStatus
  await advanceSecond()
  FakeRequest.last.answer(null)
  state.status = noConnection
  await advanceSecond()
  expect(conversion.getSnapshot()).toEqual({ state: 'busy', phase: 'unreachable', progress: 0.5 })
  state.status = doneStatus
  await advanceSecond()
  expect(conversion.getSnapshot()).toMatchObject({ state: 'done' })

  conversion.start(song)
  await advanceSecond()
  FakeRequest.last.answer(null)
  await advanceSecond()
  expect(conversion.getSnapshot()).toEqual({ state: 'failed', code: 0, message: 'No connection to the server. Please try again.' })
})

it("conversion: a refused upload fails with the server's code, and cancelling aborts the upload", async () => {
  const { conversion, state } = openTab()
  conversion.start(song)
  await advanceSecond()
  FakeRequest.last.answer({ code: 403, message: 'Content locked', data: null })
  await advanceSecond()
  expect(conversion.getSnapshot()).toEqual({ state: 'failed', code: 403, message: 'Content locked' })
  conversion.start(song)
  await advanceSecond()
  conversion.cancel()
  expect(FakeRequest.last.isRequestAborted).toBe(true)
  expect(state.calls.at(-1)).toBe('POST /make/cancel')
  expect(conversion.getSnapshot()).toEqual({ state: 'cancelled' })
})

it('conversion: after a reload the conversion is shown again, only to its account; an interrupted upload is reported', async () => {
  const { conversion, signIn } = openTab()
  conversion.start(song)
  await advanceSecond()
  FakeRequest.last.endUpload()
  const reloadedTab = openTab()
  expect(reloadedTab.conversion.getSnapshot()).toEqual({ state: 'busy', phase: 'queued', progress: 0 })
  await advanceSecond()
  expect(reloadedTab.conversion.getSnapshot()).toEqual({
    state: 'failed',
    code: 0,
    message: 'The upload was interrupted. Please try again.',
  })
  signIn('bob')
  expect(FakeRequest.last.isRequestAborted).toBe(true)
  expect(conversion.getSnapshot()).toEqual({ state: 'none' })
  expect(openTab().conversion.getSnapshot()).toEqual({ state: 'none' })
})
