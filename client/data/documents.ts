import type { ContentDocument, ContentDocumentName, NamedDocument } from '../../contract/content.ts'
import type { Api } from '../platform/api.ts'
import { putChangedRows } from './catalogue-rows.ts'
import type { Tables } from './local-database.ts'
import { createResource, createResourcePool, type RepositoryDeps, type Resource } from './resource.ts'

/** The long texts of the brand as stored on this device, refreshed from the server. */
export interface Documents {
  /** Returns the document `name`. All calls with the same name return the same resource object. */
  get<Name extends ContentDocumentName>(name: Name): Resource<ContentDocument<Name>>
}

export function createDocuments({ api, database, connection, initialData = {}, isInitialCurrent = true }: RepositoryDeps): Documents {
  const pool = createResourcePool({ connection })
  const embeddedDocumentByName = new Map(initialData.documents?.map((document) => [document.name, document]))

  /** Returns the content of a document if its name is `name`, and `undefined` otherwise. */
  const readDocumentContent = <Name extends ContentDocumentName>(
    document: { name: ContentDocumentName; content: unknown } | undefined,
    name: Name,
  ) =>
    // The cast is safe: the content of each name was checked against its shape, or comes from our own server by the contract.
    document?.name === name ? (document.content as ContentDocument<Name>) : undefined

  return {
    get<Name extends ContentDocumentName>(name: Name) {
      const toFetchedRows = (documentContent: ContentDocument<Name>) => ({
        rows: documentContent,
        // The cast is safe, because `documentContent` is the content of the document `name`. TypeScript does not relate the members of the union.
        write: (tables: Tables) => putChangedRows(tables.documents, [{ name, content: documentContent } as NamedDocument]),
      })
      const resourceKey = `document:${name}`
      return pool.get(resourceKey, () => {
        const initialContent = readDocumentContent(embeddedDocumentByName.get(name), name)
        embeddedDocumentByName.delete(name)
        return createResource<ContentDocument<Name>>({
          key: resourceKey,
          database,
          initial: initialContent && { rows: initialContent, answer: isInitialCurrent ? toFetchedRows(initialContent) : undefined },
          read: async (tables) => readDocumentContent(await tables.documents.get(name), name),
          request: async () => toFetchedRows(await requestDocument(api, name)),
        })
      })
    },
  }
}

async function requestDocument<Name extends ContentDocumentName>(api: Api, name: Name): Promise<ContentDocument<Name>> {
  const anyName: ContentDocumentName = name
  // The cast is safe, because the endpoint of `name` answers with its content. TypeScript does not relate the members of the union.
  return (await api.call(`GET /content/${anyName}`, {})) as ContentDocument<Name>
}
