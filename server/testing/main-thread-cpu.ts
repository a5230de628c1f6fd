import { readdirSync, readFileSync } from 'node:fs'

/** The first number of this Linux file is the time in nanoseconds that the thread has run on a processor (kernel documentation, sched-stats). */
const threadCpuMs = (pid: number, threadId: number | string) =>
  Number(readFileSync(`/proc/${pid}/task/${threadId}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6

/**
 * Returns the processor time in milliseconds that the main thread of a process, this one by default, has used. Unlike wall time, it does not grow while other processes
 * use the processor, and unlike `process.cpuUsage()` it leaves out the threads of libuv, of hashing and of pictures.
 */
export const mainThreadCpuMs = (pid = process.pid): number => threadCpuMs(pid, pid)

/** Returns the processor time in milliseconds that the threads of a process have used which still exist. */
export const processCpuMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, threadId) => sum + threadCpuMs(pid, threadId), 0)
