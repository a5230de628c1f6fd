/** Returns the number after the option `argumentName` of the command line, such as `--rounds 3`, or else `defaultValue`. */
export function readNumberArgument(argumentName: string, defaultValue: number): number {
  const at = process.argv.indexOf(argumentName)
  return at < 0 ? defaultValue : Number(process.argv[at + 1])
}
