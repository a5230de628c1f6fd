import { useCallback, useEffect, useRef, useState } from 'react'
import type { ConversionStatus } from '../../contract/convert.ts'
import type { ConversionFormat } from '../../contract/convert-rules.ts'
import { ApiCallError } from '../platform/api.ts'
import { startTimeout } from '../primitives/scope.ts'
import { useRefreshEntitlement } from './entitlement.ts'
import { useServices } from './services.tsx'

/** The conversion that this tab began, as the page shows it. */
export type ConversionView =
  | { state: 'none' }
  | { state: 'uploading'; progress: number }
  | { state: 'converting'; progress: number; isWaiting: boolean }
  | { state: 'done'; url: string; fileName: string }
  | { state: 'failed'; message: string }

export interface ConversionRequest {
  file: File
  /** The change of the speed in percent. */
  speed: number
  format: ConversionFormat
}

export interface Conversion {
  view: ConversionView
  start(request: ConversionRequest): void
  cancel(): void
  clear(): void
}

/** The key under which a tab keeps the id of its conversion, so that a reload shows it again. */
const STORAGE_KEY = 'conversion'
const POLL_MS = 1000
const NO_CONNECTION = 'No connection to the server. What was uploaded goes on being converted there.'

function storeId(id: string | undefined): void {
  try {
    if (id === undefined) sessionStorage.removeItem(STORAGE_KEY)
    else sessionStorage.setItem(STORAGE_KEY, id)
  } catch {
    // Without storage, a reload does not show the conversion again; the history has its file.
  }
}
function readId(): string | undefined {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? undefined
  } catch {
    return undefined
  }
}

/** Sends a form with progress, which `fetch` does not report. Resolves with the body of the response; rejects without one. */
function sendForm(
  request: XMLHttpRequest,
  url: string,
  token: string,
  form: FormData,
  onProgress: (progress: number) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.open('POST', url)
    request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => resolve(request.response)
    request.onerror = () => reject(new TypeError('no response'))
    request.onabort = () => reject(new DOMException('cancelled', 'AbortError'))
    request.send(form)
  })
}

const isFailure = (body: unknown): body is { code: number; message: string } =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body && body.code !== 200

/** Uploads songs to the server, which changes their speed. `onEnded` is called when a conversion has ended. */
export function useConversion(onEnded: () => void): Conversion {
  const { accountApi, identity, site } = useServices()
  const refreshEntitlement = useRefreshEntitlement()
  const [view, setView] = useState<ConversionView>({ state: 'none' })
  const [id, setId] = useState<string>()
  const upload = useRef<XMLHttpRequest>(undefined)
  const latestOnEnded = useRef(onEnded)
  useEffect(() => {
    latestOnEnded.current = onEnded
  })

  const finish = useCallback((ended: ConversionView) => {
    storeId(undefined)
    setId(undefined)
    setView(ended)
    latestOnEnded.current()
  }, [])

  const showStatus = useCallback(
    ({ state, progress, url, file_name, message }: ConversionStatus) => {
      if (state === 'done' && url !== undefined) finish({ state: 'done', url, fileName: file_name })
      else if (state === 'failed') finish({ state: 'failed', message: message ?? '' })
      else if (state === 'cancelled') finish({ state: 'none' })
      else setView({ state: 'converting', progress, isWaiting: state === 'queued' })
    },
    [finish],
  )

  // A conversion that was begun before a reload is shown again.
  useEffect(() => {
    const storedId = readId()
    if (storedId === undefined) return
    setId(storedId)
    setView({ state: 'converting', progress: 0, isWaiting: true })
  }, [])

  // Asks for the progress while the server converts.
  const isConverting = view.state === 'converting'
  useEffect(() => {
    if (id === undefined || !isConverting) return
    let isStopped = false
    let stopTimer = () => {}
    const poll = async () => {
      try {
        const status = await accountApi.call('GET /make/status', { job_id: id })
        if (!isStopped) showStatus(status)
      } catch (error) {
        if (isStopped) return
        // The upload did not reach the server before a reload.
        if (error instanceof ApiCallError && error.code === 404)
          return finish({ state: 'failed', message: 'The upload was interrupted. Please try again.' })
      }
      if (!isStopped) stopTimer = startTimeout(() => void poll(), POLL_MS)
    }
    void poll()
    return () => {
      isStopped = true
      stopTimer()
    }
  }, [id, isConverting, accountApi, showStatus, finish])

  const start = async ({ file, speed, format }: ConversionRequest) => {
    const jobId = crypto.randomUUID()
    const form = new FormData()
    // The fields stand before the file, so that the server knows them when the file arrives.
    for (const [name, value] of [
      ['job_id', jobId],
      ['speed', String(speed)],
      ['format', format],
    ] as const)
      form.append(name, value)
    form.append('file', file)
    setId(jobId)
    storeId(jobId)
    setView({ state: 'uploading', progress: 0 })
    const request = new XMLHttpRequest()
    upload.current = request
    try {
      const token = await identity.token()
      if (token === undefined) return finish({ state: 'failed', message: 'Please log in.' })
      const body = await sendForm(request, `${site.api_base_url}/make/convert`, token, form, (progress) =>
        setView(progress < 1 ? { state: 'uploading', progress } : { state: 'converting', progress: 0, isWaiting: true }),
      )
      if (isFailure(body)) {
        if (body.code === 403) refreshEntitlement()
        finish({ state: 'failed', message: body.message })
      } else showStatus(await accountApi.call('GET /make/status', { job_id: jobId }))
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return
      finish({ state: 'failed', message: NO_CONNECTION })
    }
  }

  return {
    view,
    start: (request) => void start(request),
    cancel: () => {
      if (id !== undefined) void accountApi.call('POST /make/cancel', { job_id: id }).catch(() => undefined)
      upload.current?.abort()
      finish({ state: 'none' })
    },
    clear: () => setView({ state: 'none' }),
  }
}
