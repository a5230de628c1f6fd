import type { ConversionStatus } from '../../../contract/conversion.ts'
import type { ConversionFormat } from '../../../contract/conversion-rules.ts'
import { type AccountApi, ApiCallError } from '../../platform/api.ts'
import type { Identity } from '../../platform/identity.ts'
import { sessionStore } from '../../platform/web-storage.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { startTimeout } from '../../primitives/scope.ts'
import { uniqueId } from '../../primitives/unique-id.ts'

/** `unreachable`: the upload is complete, but the server does not respond at present. */
export type ConversionPhase = 'uploading' | 'queued' | 'running' | 'unreachable'

/** The state of this tab's conversion, for the page. */
export type TabConversionState =
  | { state: 'none' }
  | { state: 'busy'; phase: ConversionPhase; progress: number }
  | { state: 'done'; id: string; url: string; fileName: string }
  | { state: 'failed'; code: number; message: string }
  | { state: 'cancelled' }

export interface ConversionRequest {
  file: File
  /** The change of the speed in percent. */
  speed: number
  format: ConversionFormat
}

export interface ConversionDependencies {
  accountApi: AccountApi
  identity: Pick<Identity, 'getSnapshot' | 'subscribe' | 'token'>
  baseUrl: string
}

interface Job {
  readonly uid: string
  readonly id: string
  /** The running request that uploads the song. Until the server has responded to it, the server may not know the conversion. */
  upload: XMLHttpRequest | undefined
  stopTimer: () => void
}

/** The key under which a tab stores its conversion, so that a reload shows it again. */
const STORAGE_KEY = 'conversion'
const POLL_MS = 1000
const NO_CONVERSION: TabConversionState = { state: 'none' }
const INTERRUPTED_MESSAGE = 'The upload was interrupted. Please try again.'
const NO_CONNECTION = 'No connection to the server. Please try again.'

/**
 * Converts songs by uploading them to the server, which changes their speed. One conversion runs at a time, and continues while the person
 * visits other pages of the site.
 */
export function createConversion({ accountApi, identity, baseUrl }: ConversionDependencies) {
  const changes = createEmitter()
  let view = NO_CONVERSION
  let job: Job | undefined

  const isBusy = () => job !== undefined
  const show = (newState: TabConversionState) => {
    view = newState
    changes.emit()
  }

  function storeJob(id: string, uid: string): Job {
    job = { uid, id, upload: undefined, stopTimer: () => {} }
    writeStored({ id, uid })
    return job
  }

  function end(endState: TabConversionState): void {
    job?.stopTimer()
    job = undefined
    writeStored(undefined)
    show(endState)
  }
  const fail = (message: string, code = 0) => end({ state: 'failed', code, message })

  function showStatus(id: string, { state, progress, url, file_name, message = '' }: ConversionStatus): void {
    if (state === 'done' && url !== undefined) end({ state: 'done', id, url, fileName: file_name })
    else if (state === 'queued' || state === 'running') show({ state: 'busy', phase: state, progress })
    else if (state === 'cancelled') end({ state })
    else fail(message)
  }

  /** Polls the progress until the conversion has ended. */
  async function poll(polledJob: Job): Promise<void> {
    polledJob.stopTimer()
    try {
      const status = await accountApi.call('GET /make/status', { job_id: polledJob.id })
      if (job === polledJob) showStatus(polledJob.id, status)
    } catch (error) {
      if (job !== polledJob) return
      const code = error instanceof ApiCallError ? error.code : 0
      if (code === 401 || code === 403) fail(String(error instanceof Error && error.message), code)
      else if (code !== 404) show({ state: 'busy', phase: 'unreachable', progress: view.state === 'busy' ? view.progress : 0 })
      else if (polledJob.upload === undefined) fail(INTERRUPTED_MESSAGE)
    }
    if (job === polledJob) schedulePoll(polledJob)
  }

  function schedulePoll(polledJob: Job): void {
    polledJob.stopTimer()
    polledJob.stopTimer = startTimeout(() => void poll(polledJob), POLL_MS)
  }

  async function start({ file, speed, format }: ConversionRequest): Promise<void> {
    const uid = identity.getSnapshot()?.uid
    if (isBusy() || uid === undefined) return
    const newJob = storeJob(uniqueId(), uid)
    show({ state: 'busy', phase: 'uploading', progress: 0 })
    const token = await identity.token().catch(() => undefined)
    if (job !== newJob) return
    if (token === undefined) return fail(NO_CONNECTION)
    const form = new FormData()
    // The fields precede the file in the form data, so that the server has read all fields when the file begins to arrive.
    form.append('job_id', newJob.id)
    form.append('speed', String(speed))
    form.append('format', format)
    form.append('file', file)
    let isUploaded = false
    const request = new XMLHttpRequest()
    newJob.upload = request
    request.upload.onprogress = ({ loaded, total }) => {
      if (job === newJob) show({ state: 'busy', phase: 'uploading', progress: total === 0 ? 0 : loaded / total })
    }
    request.upload.onload = () => {
      isUploaded = true
      if (job !== newJob) return
      show({ state: 'busy', phase: 'queued', progress: 0 })
      // The first poll is delayed, because the server may learn of the conversion only a moment after the end of the upload.
      schedulePoll(newJob)
    }
    const response = await sendUpload(request, `${baseUrl}/make/convert`, token, form)
    newJob.upload = undefined
    if (job !== newJob) return
    if (isFailure(response)) fail(response.message, response.code)
    else if (isUploaded || response !== undefined) void poll(newJob)
    else fail(NO_CONNECTION)
  }

  identity.subscribe(() => {
    const uid = identity.getSnapshot()?.uid
    // A conversion is not shown to another account. The server completes it and lists it in the history of its own account.
    if (job !== undefined && job.uid !== uid) {
      job.upload?.abort()
      end(NO_CONVERSION)
    } else if (job === undefined && view !== NO_CONVERSION) show(NO_CONVERSION)
  })

  const storedJob = readStored()
  if (storedJob !== undefined && storedJob.uid === identity.getSnapshot()?.uid) {
    const restored = storeJob(storedJob.id, storedJob.uid)
    view = { state: 'busy', phase: 'queued', progress: 0 }
    void poll(restored)
  }

  return {
    getSnapshot: () => view,
    subscribe: changes.subscribe,
    /** Starts a conversion. The call is ignored while another conversion runs. */
    start: (request: ConversionRequest) => void start(request),
    cancel() {
      if (job === undefined) return
      void accountApi.call('POST /make/cancel', { job_id: job.id }).catch(() => undefined)
      job.upload?.abort()
      end({ state: 'cancelled' })
    },
    /** Removes a conversion that has ended. */
    clear() {
      if (job === undefined && view !== NO_CONVERSION) show(NO_CONVERSION)
    },
  }
}

export type Conversion = ReturnType<typeof createConversion>

/**
 * Sends a form with XMLHttpRequest, which reports the progress of an upload, as `fetch` does not. Resolves with the parsed JSON body;
 * `undefined` if the response is not JSON.
 */
function sendUpload(request: XMLHttpRequest, url: string, token: string, form: FormData): Promise<unknown> {
  return new Promise((resolve) => {
    request.open('POST', url)
    request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.responseType = 'json'
    request.onloadend = () => resolve(request.response ?? undefined)
    request.send(form)
  })
}

const isFailure = (body: unknown): body is { code: number; message: string } =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body && body.code !== 200

/**
 * Stores the running conversion for a reload. If storage is not available, the page does not show the conversion after a reload, but the
 * history lists its file.
 */
const writeStored = (job: { id: string; uid: string } | undefined): void => void sessionStore.write(STORAGE_KEY, job && JSON.stringify(job))

function readStored(): { id: string; uid: string } | undefined {
  const stored = sessionStore.readJson(STORAGE_KEY)
  if (typeof stored !== 'object' || stored === null || !('id' in stored) || !('uid' in stored)) return undefined
  return { id: String(stored.id), uid: String(stored.uid) }
}
