import { rm } from 'node:fs/promises'
import { cruise } from 'dependency-cruiser'
import { importRules, runtimeRules } from '../.dependency-cruiser.mjs'
import { writeSkeleton } from './import-skeleton.mjs'

/**
 * Judges every TypeScript file below `root` by the rules of `.dependency-cruiser.mjs`.
 *
 * @param {string} root
 * @returns {Promise<{ files: number, violations: { rule: string, comment: string, from: string, to: string }[] }>}
 * @throws if a file was not read or nothing was found in any: a check that looks at nothing must not pass
 */
export async function checkBoundaries(root) {
  const imports = await judge(root, importRules, { types: true })
  const runtime = await judge(root, runtimeRules, { types: false })
  return { files: imports.files, violations: [...imports.violations, ...runtime.violations] }
}

/**
 * @param {string} root
 * @param {import('dependency-cruiser').IForbiddenRuleType[]} forbidden
 * @param {{ types: boolean }} options
 */
async function judge(root, forbidden, options) {
  const { directory, sources } = await writeSkeleton(root, options)
  try {
    const { output } = await cruise(
      sources,
      {
        baseDir: directory,
        parser: 'swc',
        preserveSymlinks: true,
        validate: true,
        ruleSet: { forbidden },
        doNotFollow: { path: '(^|/)node_modules/' },
      },
      {
        extensions: ['.ts', '.tsx', '.mjs', '.js'],
        exportsFields: ['exports'],
        conditionNames: ['import', 'browser', 'node', 'types', 'default'],
        symlinks: false,
      },
    )
    if (typeof output === 'string') throw new Error('dependency-cruiser gave no result')
    const read = new Set(output.modules.map((module) => module.source))
    const unread = sources.filter((source) => !read.has(source))
    if (sources.length === 0 || unread.length > 0)
      throw new Error(`${unread.length} of ${sources.length} files were not read: ${unread[0]}`)
    if (!output.modules.some((module) => module.dependencies.length > 0)) throw new Error('no import was found in any file')
    return {
      files: sources.length,
      violations: output.summary.violations.map(({ rule, from, to }) => ({
        rule: rule.name,
        comment: forbidden.find((each) => each.name === rule.name)?.comment ?? '',
        from,
        to,
      })),
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
