-- What is asked after every job: is anybody left who is to take one of these steps?
DROP INDEX items_by_state;

CREATE INDEX items_by_state ON items (sweep, state, step);
