import { resolve } from 'node:path'
import { MetricsAddressError } from './metrics/metrics-server.ts'

const readErrorCode = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

const DISK_ERROR_CODE = /^(?:(?:EACCES|EPERM|EROFS|ENOTDIR|EEXIST)$|SQLITE_(?:READONLY|CANTOPEN|PERM|IOERR|AUTH))/

/** Returns why the server cannot start, in one line that names the setting to check. */
export function describeStartFailure(failure: unknown, environmentVariables: Readonly<Record<string, string | undefined>>): string {
  const isMetricsFailure = failure instanceof MetricsAddressError
  const error = isMetricsFailure ? failure.cause : failure
  const code = readErrorCode(error)
  const errorMessage = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
  const failedSyscall = typeof error === 'object' && error !== null && 'syscall' in error ? error.syscall : undefined
  const hostText = environmentVariables.HOST || '127.0.0.1'
  const dataDir = resolve(environmentVariables.DATA_DIR || './data')
  const [portSetting, hostSetting] = isMetricsFailure
    ? [`METRICS ${environmentVariables.METRICS}`, `METRICS ${environmentVariables.METRICS}`]
    : [`PORT ${environmentVariables.PORT || '8080'} on ${hostText}`, `HOST ${hostText}`]
  const describeFailureReason = (): string => {
    if (code === 'EADDRINUSE') return `${portSetting} is in use by another program`
    if (failedSyscall === 'listen' && code === 'EACCES') return `${portSetting} may not be used by this user`
    const isHostUnknown = failedSyscall === 'getaddrinfo' && (isMetricsFailure || environmentVariables.DATABASE_URL === undefined)
    if (code === 'EADDRNOTAVAIL' || isHostUnknown) return `${hostSetting} is no address of this machine`
    if (code === 'ENOSPC' || code === 'SQLITE_FULL') return `the disk of DATA_DIR ${dataDir} is full`
    if (DISK_ERROR_CODE.test(code)) return `DATA_DIR ${dataDir} cannot be written (${code})`
    if (/^(?:ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|28P01|28000|3D000)$/.test(code))
      return `DATABASE_URL: the database cannot be reached (${code})`
    return errorMessage
  }
  return `Varispeed cannot start: ${describeFailureReason()}`
}
