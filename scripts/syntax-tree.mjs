import { parseSync } from 'vite'

/** Parses a file. @param {string} filePath a name with the extension of its language @param {string} sourceText @throws Error if the text has a syntax error */
export function parseFile(filePath, sourceText) {
  const { program, comments, errors } = parseSync(filePath, sourceText, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${filePath}: ${errors[0]?.message}`)
  return { program, comments }
}

/** Calls `visitNode` for each node of a syntax tree, a parent before its children. @param {any} syntaxNode @param {(node: any) => void} visitNode */
export function visitNodes(syntaxNode, visitNode) {
  if (Array.isArray(syntaxNode)) for (const child of syntaxNode) visitNodes(child, visitNode)
  else if (syntaxNode !== null && typeof syntaxNode === 'object') {
    if (typeof syntaxNode.type === 'string') visitNode(syntaxNode)
    for (const child of Object.values(syntaxNode)) if (typeof child === 'object') visitNodes(child, visitNode)
  }
}

/** Returns the number of the line at an offset, from 1. @param {string} text @param {number} offset */
export const findLineAt = (text, offset) => text.slice(0, offset).split('\n').length
