const systemNames = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processorNames = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32']

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, license?: string, os?: string[], cpu?: string[], libc?: string[] }} Entry
 * @typedef {Entry & { optionalDependencies?: Record<string, string> }} Parent
 */

/**
 * Returns the lock file's missing entries of optional packages for other platforms, by path.
 *
 * @param {Record<string, Parent>} lockedPackages
 * @returns {Record<string, Entry>}
 */
export function findMissingPlatforms(lockedPackages) {
  /** @type {Record<string, Entry>} */
  const missingEntries = {}
  for (const parentPackage of Object.values(lockedPackages)) {
    for (const [packageName, packageVersion] of Object.entries(parentPackage.optionalDependencies ?? {})) {
      const folderPath = `node_modules/${packageName}`
      if (folderPath in lockedPackages || !/^\d+\.\d+\.\d+/.test(packageVersion)) continue
      const nameWords = packageName.split(/[/-]/)
      const osNames = systemNames.filter((each) => nameWords.includes(each))
      const cpuNames = processorNames.filter((each) => nameWords.includes(each))
      if (osNames.length === 0 || cpuNames.length === 0) continue
      const libcField = nameWords.includes('musl')
        ? { libc: ['musl'] }
        : nameWords.includes('gnu') && osNames[0] === 'linux'
          ? { libc: ['glibc'] }
          : {}
      const { dev, license } = parentPackage
      missingEntries[folderPath] = {
        version: packageVersion,
        cpu: cpuNames,
        ...(dev === true && { dev }),
        ...(license !== undefined && { license }),
        ...libcField,
        optional: true,
        os: osNames,
      }
    }
  }
  return missingEntries
}
