import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { FileStoreError } from './file-store.ts'

/** A bucket of a service that understands the protocol of Amazon S3. */
export interface S3Settings {
  bucket: string
  /** The beginning of the keys of all files: empty, or a path with a slash at its end. */
  prefix: string
  /** The URL of the service without a slash at its end. The bucket's name follows in the path. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface CallTiming {
  /** The time after which a call ends in which nothing was sent and nothing was received. */
  stallMs: number
  /** The pauses after which a call that failed temporarily is repeated. */
  retryPausesMs: readonly number[]
}
const CALL_TIMING: CallTiming = { stallMs: 15_000, retryPausesMs: [200, 1000] }

/** A failed call is not repeated if it began more than this time ago. */
const RETRIES_MAX_MS = 5000

const isTemporaryStatus = (status: number) => status >= 500 || status === 429

/** Ends a call when nothing has been sent or received for `stallMs`, as long as the watch is not paused. */
function createStallWatch(stallMs: number) {
  const controller = new AbortController()
  let stallTimer: NodeJS.Timeout | undefined
  const pauseWatch = () => clearTimeout(stallTimer)
  return {
    signal: controller.signal,
    pause: pauseWatch,
    restart: () => {
      pauseWatch()
      stallTimer = setTimeout(() => controller.abort(new Error(`nothing moved for ${stallMs / 1000} s`)), stallMs)
    },
    end: () => {
      pauseWatch()
      controller.abort()
    },
  }
}
type StallWatch = ReturnType<typeof createStallWatch>

const describeReason = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code || (cause instanceof Error ? cause.message : String(cause))
}

/** Returns the text of the first element of this name in an XML document. */
export const findElementText = (xml: string, name: string): string | undefined => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
const XML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
export const decodeXml = (value: string) => value.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => XML_ENTITIES[entity] ?? '')

interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** The path and query that follow the URL of the bucket. */
  path: string
  headers?: Record<string, string>
  /** Creates the body for an attempt. It reports its progress, unless it is short. */
  createBody?: (reportProgress: () => void) => string | ReadableStream<Uint8Array>
}

/** A response whose body is not read yet. */
interface S3Answer {
  status: number
  bytes: number
  /** Starts to read the body. The caller reads the stream to its end or destroys it. */
  read(): Readable
}

/** Whether a response means that the object does not exist. A proxy in between, or a missing bucket, can answer 404 as well. */
const isMissingObject = (method: S3Call['method'], status: number, errorCode: string | undefined) =>
  status === 404 && (method === 'HEAD' || (method !== 'PUT' && errorCode === 'NoSuchKey'))

/** Yields the chunks of a body. The time that their reader takes does not count as a stall. */
async function* readChunks({ body }: Response, watch: StallWatch, toFailure: (error: unknown) => Error): AsyncGenerator<Uint8Array> {
  if (body === null) return
  try {
    watch.restart()
    for await (const bodyChunk of body) {
      watch.pause()
      yield bodyChunk
      watch.restart()
    }
  } catch (error) {
    throw toFailure(error)
  }
}

/** Reads a response to its end. */
export const readAnswer = (answer: S3Answer): Promise<string> => text(answer.read())

/** Creates the functions that call a bucket. */
export function createS3Client({ bucket, endpoint, ...accessKeys }: S3Settings, { stallMs, retryPausesMs } = CALL_TIMING) {
  const requestSigner = new AwsClient({ ...accessKeys, service: 's3' })
  const createCallError = (reason: string, error?: unknown) =>
    new FileStoreError(`FILE_STORE: bucket '${bucket}' at ${endpoint}: ${reason}`, { cause: error })
  const toFileStoreError = (error: unknown) => (error instanceof FileStoreError ? error : createCallError(describeReason(error), error))

  async function attemptCall({ method, path, headers = {}, createBody }: S3Call): Promise<S3Answer> {
    const stallWatch = createStallWatch(stallMs)
    stallWatch.restart()
    try {
      const signedRequest = await requestSigner.sign(`${endpoint}/${bucket}${path}`, { method, headers })
      const response = await fetch(signedRequest.url, {
        method,
        headers: signedRequest.headers,
        signal: stallWatch.signal,
        redirect: 'manual',
        ...(createBody !== undefined && { body: createBody(stallWatch.restart), duplex: 'half' }),
      })
      stallWatch.pause()
      return {
        status: response.status,
        bytes: Number(response.headers.get('content-length')),
        read: () => Readable.from(readChunks(response, stallWatch, toFileStoreError), { objectMode: false }).once('close', stallWatch.end),
      }
    } catch (error) {
      stallWatch.end()
      throw toFileStoreError(error)
    }
  }

  return {
    failure: createCallError,

    /** Sends a call, if necessary repeatedly. Resolves with a successful response; undefined if the object does not exist. @throws FileStoreError */
    async send(s3Call: S3Call): Promise<S3Answer | undefined> {
      const begunAtMs = performance.now()
      for (let attemptCount = 0; ; attemptCount++) {
        const s3Answer = await attemptCall(s3Call).catch((error: FileStoreError) => error)
        if ('status' in s3Answer && s3Answer.status >= 200 && s3Answer.status < 300) return s3Answer
        const errorCode = 'status' in s3Answer ? findElementText(await readAnswer(s3Answer), 'Code') : undefined
        if ('status' in s3Answer && isMissingObject(s3Call.method, s3Answer.status, errorCode)) return undefined
        const pauseMs = retryPausesMs[attemptCount]
        const canRetryCall = 'status' in s3Answer ? isTemporaryStatus(s3Answer.status) : true
        if (!canRetryCall || pauseMs === undefined || performance.now() - begunAtMs > RETRIES_MAX_MS)
          throw 'status' in s3Answer ? createCallError(`answers ${s3Answer.status} ${errorCode ?? ''}`.trim()) : s3Answer
        await sleep(pauseMs)
      }
    },
  }
}
