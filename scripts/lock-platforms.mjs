const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32']

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, license?: string, os?: string[], cpu?: string[], libc?: string[] }} Entry
 * @typedef {Entry & { optionalDependencies?: Record<string, string> }} Parent
 */

/**
 * Returns the lock file's missing entries of optional packages for other platforms, by path.
 *
 * @param {Record<string, Parent>} packages
 * @returns {Record<string, Entry>}
 */
export function missingPlatforms(packages) {
  /** @type {Record<string, Entry>} */
  const missingEntries = {}
  for (const parent of Object.values(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const folderPath = `node_modules/${name}`
      if (folderPath in packages || !/^\d+\.\d+\.\d+/.test(version)) continue
      const words = name.split(/[/-]/)
      const os = systems.filter((each) => words.includes(each))
      const cpu = processors.filter((each) => words.includes(each))
      if (os.length === 0 || cpu.length === 0) continue
      const libc = words.includes('musl') ? { libc: ['musl'] } : words.includes('gnu') && os[0] === 'linux' ? { libc: ['glibc'] } : {}
      const { dev, license } = parent
      missingEntries[folderPath] = {
        version,
        cpu,
        ...(dev === true && { dev }),
        ...(license !== undefined && { license }),
        ...libc,
        optional: true,
        os,
      }
    }
  }
  return missingEntries
}
