import { readFileSync } from 'node:fs'

/** The first number of this Linux file is the time in nanoseconds that the thread has run on a processor (kernel documentation, sched-stats). */
const SCHEDSTAT_FILE = `/proc/self/task/${process.pid}/schedstat`

/**
 * Returns the processor time in milliseconds that the main thread of this process has used. Unlike wall time, it does not grow while other processes
 * use the processor, and unlike `process.cpuUsage()` it leaves out the threads of libuv, of hashing and of pictures.
 */
export function mainThreadCpuMs(): number {
  return Number(readFileSync(SCHEDSTAT_FILE, 'utf8').split(' ', 1)[0]) / 1e6
}
