import { describeFailure, runCommand } from './run-command.ts'

const writeLine = (stream: NodeJS.WriteStream, line: string) => stream.write(`${line}\n`)

// What the command writes into DATA_DIR is for the server's user only.
process.umask(0o077)
try {
  const output = await runCommand(process.argv.slice(2), {
    env: process.env,
    report: (line) => writeLine(process.stderr, line),
    setExitCode: (code) => {
      process.exitCode = code
    },
  })
  writeLine(process.stdout, output)
} catch (error) {
  const { message, exitCode } = describeFailure(error)
  writeLine(process.stderr, message)
  process.exitCode = exitCode
}
