/** Where a table, a record or the trash stands in the address of the page. */

export const addressOf = {
  table: (collection) => `#/records/${encodeURIComponent(collection)}`,
  record: (collection, id) =>
    `#/records/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`,
  trash: (collection) => `#/records/${encodeURIComponent(collection)}?trash=1`,
};
