import { readdirSync, readFileSync } from 'node:fs'

/**
 * The first number in this Linux file is the time that the thread has run on a processor, in nanoseconds (kernel documentation,
 * sched-stats).
 */
const readThreadCpuMs = (pid: number, threadId: number | string) =>
  Number(readFileSync(`/proc/${pid}/task/${threadId}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6

/**
 * Returns the processor time of the main thread of a process, by default this one, in milliseconds. Unlike wall time, it does not grow
 * while other processes use the processor. Unlike `process.cpuUsage()`, it excludes the threads of libuv and those for hashing and
 * pictures.
 */
export const readMainThreadCpuMs = (pid = process.pid): number => readThreadCpuMs(pid, pid)

/** Returns the processor time of all threads of a process that still exist, in milliseconds. */
export const readProcessCpuMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, threadId) => sum + readThreadCpuMs(pid, threadId), 0)
