import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FileStore } from '../files/file-store.ts'
import { CONVERSION_MAX_MS, createConversionFileName } from './files.ts'
import type { ConversionJob } from './job.ts'
import { CONVERSION_NICE_INCREMENT, PROCESSOR_SECONDS_MAX, spawnLimited } from './process.ts'
import type { Conversion } from './store.ts'

/** The maximum size of a conversion's JavaScript heap in MiB. */
const HEAP_LIMIT_MIB = 256

/** The paths of the built `server/conversion/main.ts` and of the compiled DSP kernel. */
export interface ConversionProgram {
  mainFile: string
  wasmKernelPath: string
}

interface RunnerDeps {
  /** The program that converts songs. If it is undefined, no conversion can run. */
  program: ConversionProgram | undefined
  /** The path of ffmpeg, if it is installed. */
  ffmpeg: Promise<string | undefined>
  /** The store of the uploads and the converted files. */
  fileStore: FileStore
  /** The folder for files of running conversions. */
  dir: string
}

/**
 * The outcome of a conversion whose process got SIGTERM or SIGINT: a service manager and a terminal send them to all processes of the server, which may
 * still be finishing requests.
 */
export const INTERRUPTED = 'interrupted'

interface RunningConversion {
  child: ChildProcess
  progress: number
}

/**
 * Reads the output of a conversion's process until it ends, and stores the reported progress in `runningConversion`.
 * Returns the last other line, which is the outcome; `INTERRUPTED` if the process was asked to end.
 */
async function readOutput(runningConversion: RunningConversion): Promise<string> {
  const { child } = runningConversion
  let lastLine = 'failed'
  const processEnd = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (_code, signal) => resolve(signal))
  })
  if (child.stdout !== null) {
    for await (const outputLine of createInterface({ input: child.stdout })) {
      const progress = /^progress ([\d.]+)$/.exec(outputLine)?.[1]
      if (progress === undefined) lastLine = outputLine
      else runningConversion.progress = Number(progress)
    }
  }
  const endSignal = await processEnd
  return endSignal === 'SIGTERM' || endSignal === 'SIGINT' ? INTERRUPTED : lastLine
}

/** Runs each conversion in a process of its own. */
export function createConversionRunner({ program, ffmpeg, fileStore, dir }: RunnerDeps) {
  const runningById = new Map<string, RunningConversion>()
  let isRunnerClosed = false

  async function runProgram(
    conversionId: string,
    { mainFile, wasmKernelPath }: ConversionProgram,
    job: Omit<ConversionJob, 'wasmKernelPath'>,
  ): Promise<string> {
    const conversionProcess = spawnLimited(
      process.execPath,
      [`--max-old-space-size=${HEAP_LIMIT_MIB}`, mainFile, JSON.stringify({ ...job, wasmKernelPath })],
      {
        cwd: dir,
        stdio: ['ignore', 'pipe', 'ignore'],
        niceIncrement: CONVERSION_NICE_INCREMENT,
        limits: { processorSeconds: PROCESSOR_SECONDS_MAX },
      },
    )
    const runningConversion = { child: conversionProcess, progress: 0 }
    runningById.set(conversionId, runningConversion)
    const timer = setTimeout(() => conversionProcess.kill('SIGKILL'), CONVERSION_MAX_MS)
    try {
      return await readOutput(runningConversion)
    } finally {
      clearTimeout(timer)
      runningById.delete(conversionId)
    }
  }

  return {
    /** Converts a song. Resolves with `done`, `INTERRUPTED` or the code of the failure. @throws FileStoreError if the store of its files is out of reach */
    async run({ id, demuxer, rate, format }: Conversion): Promise<string> {
      const ffmpegFile = await ffmpeg
      if (program === undefined || ffmpegFile === undefined) return 'failed'
      // Each attempt uses new file names, because the conversion process of a crashed server may still be writing to the old files.
      const attemptPath = join(dir, `${id}.${randomBytes(6).toString('hex')}`)
      const inputCopyPath = `${attemptPath}-in`
      const jobFiles = { outputFile: `${attemptPath}-out`, samplesFile: `${attemptPath}-samples`, preparedFile: `${attemptPath}-prepared` }
      try {
        const inputFile = await fileStore.localPath(createConversionFileName(id, 'in'), inputCopyPath)
        if (inputFile === undefined || isRunnerClosed) return 'failed'
        const outcome = await runProgram(id, program, { ffmpeg: ffmpegFile, inputFile, ...jobFiles, demuxer, rate, format })
        if (outcome === 'done') await fileStore.moveIn(jobFiles.outputFile, createConversionFileName(id, 'out'))
        return outcome
      } finally {
        await Promise.all([inputCopyPath, ...Object.values(jobFiles)].map((file) => rm(file, { force: true })))
      }
    },

    /** Returns the progress of a running conversion, from 0 to 1. */
    progressOf: (id: string): number => runningById.get(id)?.progress ?? 0,

    /** Ends the process of a conversion. Returns false if the conversion is not running. */
    stop: (id: string): boolean => runningById.get(id)?.child.kill('SIGKILL') !== undefined,

    /** Ends all processes and starts no further one. */
    close(): void {
      isRunnerClosed = true
      for (const { child } of runningById.values()) child.kill('SIGKILL')
    },
  }
}
