import { readFileSync } from 'node:fs'

/** The first number of this Linux file is the time in nanoseconds that the thread has run on a processor (kernel documentation, sched-stats). */
const schedstatFile = (pid: number) => `/proc/${pid}/task/${pid}/schedstat`

/**
 * Returns the processor time in milliseconds that the main thread of a process, this one by default, has used. Unlike wall time, it does not grow while other processes
 * use the processor, and unlike `process.cpuUsage()` it leaves out the threads of libuv, of hashing and of pictures.
 */
export function mainThreadCpuMs(pid = process.pid): number {
  return Number(readFileSync(schedstatFile(pid), 'utf8').split(' ', 1)[0]) / 1e6
}
