import { describeFailure, runCommand } from './run-command.ts'

const writeLine = (stream: NodeJS.WriteStream, line: string) => stream.write(`${line}\n`)

// Files that the command creates in DATA_DIR are readable by their owner only.
process.umask(0o077)
try {
  const commandOutput = await runCommand(process.argv.slice(2), {
    env: process.env,
    report: (line) => writeLine(process.stderr, line),
    setExitCode: (code) => {
      process.exitCode = code
    },
  })
  writeLine(process.stdout, commandOutput)
} catch (error) {
  const { message, exitCode } = describeFailure(error)
  writeLine(process.stderr, message)
  process.exitCode = exitCode
}
