import type { ConversionStatus } from '../../../contract/conversion.ts'
import type { ConversionFormat } from '../../../contract/conversion-rules.ts'
import { type AccountApi, ApiCallError } from '../../platform/api.ts'
import type { Identity } from '../../platform/identity.ts'
import { sessionStore } from '../../platform/web-storage.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { startTimeout } from '../../primitives/scope.ts'
import { createUniqueId } from '../../primitives/unique-id.ts'

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

interface UploadedJob {
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
  const changeEmitter = createEmitter()
  let conversionView = NO_CONVERSION
  let job: UploadedJob | undefined

  const isJobRunning = () => job !== undefined
  const showState = (newState: TabConversionState) => {
    conversionView = newState
    changeEmitter.emit()
  }

  function storeJob(jobId: string, uid: string): UploadedJob {
    job = { uid, id: jobId, upload: undefined, stopTimer: () => {} }
    writeStoredJob({ id: jobId, uid })
    return job
  }

  function endJob(endState: TabConversionState): void {
    job?.stopTimer()
    job = undefined
    writeStoredJob(undefined)
    showState(endState)
  }
  const failJob = (message: string, code = 0) => endJob({ state: 'failed', code, message })

  function showStatus(jobId: string, { state, progress, url, file_name, message = '' }: ConversionStatus): void {
    if (state === 'done' && url !== undefined) endJob({ state: 'done', id: jobId, url, fileName: file_name })
    else if (state === 'queued' || state === 'running') showState({ state: 'busy', phase: state, progress })
    else if (state === 'cancelled') endJob({ state })
    else failJob(message)
  }

  /** Polls the progress until the conversion has ended. */
  async function pollStatus(polledJob: UploadedJob): Promise<void> {
    polledJob.stopTimer()
    try {
      const status = await accountApi.call('GET /make/status', { job_id: polledJob.id })
      if (job === polledJob) showStatus(polledJob.id, status)
    } catch (error) {
      if (job !== polledJob) return
      const errorCode = error instanceof ApiCallError ? error.code : 0
      if (errorCode === 401 || errorCode === 403) failJob(String(error instanceof Error && error.message), errorCode)
      else if (errorCode !== 404)
        showState({ state: 'busy', phase: 'unreachable', progress: conversionView.state === 'busy' ? conversionView.progress : 0 })
      else if (polledJob.upload === undefined) failJob(INTERRUPTED_MESSAGE)
    }
    if (job === polledJob) schedulePoll(polledJob)
  }

  function schedulePoll(polledJob: UploadedJob): void {
    polledJob.stopTimer()
    polledJob.stopTimer = startTimeout(() => void pollStatus(polledJob), POLL_MS)
  }

  async function startConversion({ file, speed, format }: ConversionRequest): Promise<void> {
    const uid = identity.getSnapshot()?.uid
    if (isJobRunning() || uid === undefined) return
    const newJob = storeJob(createUniqueId(), uid)
    showState({ state: 'busy', phase: 'uploading', progress: 0 })
    const token = await identity.token().catch(() => undefined)
    if (job !== newJob) return
    if (token === undefined) return failJob(NO_CONNECTION)
    const form = new FormData()
    // The fields precede the file in the form data, so that the server has read all fields when the file begins to arrive.
    form.append('job_id', newJob.id)
    form.append('speed', String(speed))
    form.append('format', format)
    form.append('file', file)
    let isFileUploaded = false
    const request = new XMLHttpRequest()
    newJob.upload = request
    request.upload.onprogress = ({ loaded, total }) => {
      if (job === newJob) showState({ state: 'busy', phase: 'uploading', progress: total === 0 ? 0 : loaded / total })
    }
    request.upload.onload = () => {
      isFileUploaded = true
      if (job !== newJob) return
      showState({ state: 'busy', phase: 'queued', progress: 0 })
      // The first poll is delayed, because the server may learn of the conversion only a moment after the end of the upload.
      schedulePoll(newJob)
    }
    const response = await sendUpload(request, `${baseUrl}/make/convert`, token, form)
    newJob.upload = undefined
    if (job !== newJob) return
    if (isFailureBody(response)) failJob(response.message, response.code)
    else if (isFileUploaded || response !== undefined) void pollStatus(newJob)
    else failJob(NO_CONNECTION)
  }

  identity.subscribe(() => {
    const uid = identity.getSnapshot()?.uid
    // A conversion is not shown to another account. The server completes it and lists it in the history of its own account.
    if (job !== undefined && job.uid !== uid) {
      job.upload?.abort()
      endJob(NO_CONVERSION)
    } else if (job === undefined && conversionView !== NO_CONVERSION) showState(NO_CONVERSION)
  })

  const storedJob = readStoredJob()
  if (storedJob !== undefined && storedJob.uid === identity.getSnapshot()?.uid) {
    const restored = storeJob(storedJob.id, storedJob.uid)
    conversionView = { state: 'busy', phase: 'queued', progress: 0 }
    void pollStatus(restored)
  }

  return {
    getSnapshot: () => conversionView,
    subscribe: changeEmitter.subscribe,
    /** Starts a conversion. The call is ignored while another conversion runs. */
    start: (request: ConversionRequest) => void startConversion(request),
    cancel() {
      if (job === undefined) return
      void accountApi.call('POST /make/cancel', { job_id: job.id }).catch(() => undefined)
      job.upload?.abort()
      endJob({ state: 'cancelled' })
    },
    /** Removes a conversion that has ended. */
    clear() {
      if (job === undefined && conversionView !== NO_CONVERSION) showState(NO_CONVERSION)
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

const isFailureBody = (body: unknown): body is { code: number; message: string } =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body && body.code !== 200

/**
 * Stores the running conversion for a reload. If storage is not available, the page does not show the conversion after a reload, but the
 * history lists its file.
 */
const writeStoredJob = (job: { id: string; uid: string } | undefined): void =>
  void sessionStore.write(STORAGE_KEY, job && JSON.stringify(job))

function readStoredJob(): { id: string; uid: string } | undefined {
  const stored = sessionStore.readJson(STORAGE_KEY)
  if (typeof stored !== 'object' || stored === null || !('id' in stored) || !('uid' in stored)) return undefined
  return { id: String(stored.id), uid: String(stored.uid) }
}
