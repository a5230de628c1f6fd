import { failureText, runCommand } from './run-command.ts'

try {
  process.stdout.write(`${await runCommand(process.argv.slice(2), process.env)}\n`)
} catch (error) {
  process.stderr.write(`${failureText(error)}\n`)
  process.exitCode = 1
}
