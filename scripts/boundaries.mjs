import { rm } from 'node:fs/promises'
import { cruise } from 'dependency-cruiser'
import { importRules, runtimeRules } from './boundary-rules.mjs'
import { findFolderCycles } from './folder-cycles.mjs'
import { writeSkeleton } from './import-skeleton.mjs'

/**
 * Checks the imports of every TypeScript file below `rootFolder` against the rules of `scripts/boundary-rules.mjs`.
 *
 * @param {string} rootFolder
 * @returns {Promise<{ files: number, violations: { rule: string, comment: string, from: string, to: string }[] }>}
 * @throws if a file was not read or no file has an import, so that the check never passes without checking anything
 */
export async function checkBoundaries(rootFolder) {
  const skeleton = await writeSkeleton(rootFolder)
  try {
    const importCheck = await checkImports(skeleton, importRules)
    await skeleton.removeTypeImports()
    const runtimeCheck = await checkImports(skeleton, runtimeRules)
    return joinChecks(importCheck, runtimeCheck)
  } finally {
    await rm(skeleton.directory, { recursive: true, force: true })
  }
}

/** @typedef {Awaited<ReturnType<typeof checkImports>>} ImportCheck @param {ImportCheck} importCheck @param {ImportCheck} runtimeCheck */
function joinChecks(importCheck, runtimeCheck) {
  const cycleViolations = findFolderCycles(importCheck.modules).flatMap(({ from, to, files }) =>
    files.map(([fromFile, toFile]) => ({
      rule: folderCycleRule,
      comment: `${from} and ${to} are in a cycle of folders`,
      from: fromFile,
      to: toFile,
    })),
  )
  return { files: importCheck.files, violations: [...importCheck.violations, ...cycleViolations, ...runtimeCheck.violations] }
}

/** The name of the rule against cyclic imports between folders, which `folder-cycles.mjs` checks. */
export const folderCycleRule = 'no-folder-cycles'

/**
 * @param {{ directory: string, sources: string[] }} skeleton
 * @param {import('dependency-cruiser').IForbiddenRuleType[]} forbiddenRules
 */
async function checkImports({ directory, sources }, forbiddenRules) {
  const { output } = await cruise(
    sources,
    {
      baseDir: directory,
      parser: 'swc',
      preserveSymlinks: true,
      validate: true,
      ruleSet: { forbidden: forbiddenRules },
      doNotFollow: { path: '(^|/)node_modules/' },
    },
    {
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'node', 'types', 'default'],
      symlinks: false,
    },
  )
  if (typeof output === 'string') throw new Error('dependency-cruiser returned no result')
  const cruisedSources = new Set(output.modules.map((module) => module.source))
  const unreadSources = sources.filter((source) => !cruisedSources.has(source))
  if (sources.length === 0 || unreadSources.length > 0)
    throw new Error(`${unreadSources.length} of ${sources.length} files were not read: ${unreadSources[0]}`)
  if (!output.modules.some((module) => module.dependencies.length > 0)) throw new Error('no import was found in any file')
  return {
    files: sources.length,
    modules: output.modules,
    violations: output.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      comment: forbiddenRules.find((each) => each.name === rule.name)?.comment ?? '',
      from,
      to,
    })),
  }
}
