/** Returns the number after the option `name` of the command line, such as `--rounds 3`, or else `fallback`. */
export function numberArgument(name: string, fallback: number): number {
  const at = process.argv.indexOf(name)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
